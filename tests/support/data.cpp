// A file of its own: only its object depends on where the checkout is.
#include "support/data.hpp"

namespace cda {

const std::string test_data = CDA_TEST_DATA;

}  // namespace cda
