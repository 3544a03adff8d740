#include "base/option_text.hpp"

#include <gtest/gtest.h>

#include "cda/error.hpp"

namespace cda {
namespace {

using Texts = std::vector<std::string>;

TEST(SplitParts, TakesSpacesAndPlusSignsAlike) {
  const Texts expected = {"minmax", "pca:3", "whiten"};
  EXPECT_EQ(split_parts("minmax pca:3 whiten"), expected);
  EXPECT_EQ(split_parts("minmax+pca:3 whiten"), expected);
  EXPECT_EQ(split_parts(" minmax  pca:3 + whiten "), expected);
  EXPECT_EQ(split_parts("none"), Texts());
}

TEST(SplitParts, LeavesThePlusSignOfANumberAlone) {
  EXPECT_EQ(split_parts("winsorise:limit=1e+3+whiten"), (Texts{"winsorise:limit=1e+3", "whiten"}));
}

TEST(SplitParts, NothingAtAllIsNoListOfParts) {
  std::vector<PartSpec> parts;
  EXPECT_THROW(read_text(OptionField{"prepare", "PREPARATION", ""}, "--prepare", " + ", parts), Error);
}

}  // namespace
}  // namespace cda
