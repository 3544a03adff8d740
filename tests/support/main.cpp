// The tests see the methods to compare with, as the command does.
#include <gtest/gtest.h>

#include "cda/peers.hpp"

int main(int count, char** arguments) {
  cda::add_peers();
  testing::InitGoogleTest(&count, arguments);
  return RUN_ALL_TESTS();
}
