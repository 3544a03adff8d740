#include "cda/extend/catalogue.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <thread>

#include "cda/cda.hpp"
#include "cda/extend/divergence.hpp"
#include "cda/extend/executor.hpp"
#include "cda/extend/formulation.hpp"
#include "cda/extend/optimiser.hpp"
#include "cda/extend/preparation.hpp"
#include "cda/peers.hpp"

using namespace cda;

namespace {

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Catalogue, FindsNamesInAnyCaseAndWithEitherDash) {
  EXPECT_NE(divergences().make("Extended-Mallows"), nullptr);
  EXPECT_EQ(find_method("rcda-q").name, "rCDA_Q");
}

TEST(Methods, OurOwnComeFirstThenThePapersThenPeersWhichEveryThreadMayAddAgain) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back(add_peers);
  for (std::thread& thread : threads) thread.join();
  std::vector<std::string> names;
  for (const MethodInfo& method : methods()) names.push_back(method.name);
  EXPECT_EQ(names, (std::vector<std::string>{"iCDA", "cCDA", "CDA_M", "CDA_Q", "CDA_P", "rCDA_M", "rCDA_Q", "rCDA_P",
                                             "mCDA_P", "mrCDA_P", "CCA", "DAC", "LSCCA", "PCA", "SCL", "SSC", "TCA"}));
}

TEST(Catalogue, ListsTheNearNamesForAnUnknownOne) {
  EXPECT_EQ(message_of([] { divergences().make("wassertein"); }),
            "there is no divergence named \"wassertein\" (hint: did you mean wasserstein?)");
  EXPECT_EQ(message_of([] { find_method("CDA_X"); }),
            "there is no method named \"CDA_X\" (hint: did you mean CDA_M or CDA_Q or CDA_P?)");
}

TEST(Catalogue, NamesAllWhereNothingIsNear) {
  EXPECT_NE(message_of([] { optimisers().make("zzzzzzzzz"); }).find("known: conjugate_gradient, exact"),
            std::string::npos);
}

TEST(Catalogue, RefusesAnUnknownOptionAndAValueOutOfRange) {
  EXPECT_EQ(message_of([] { divergences().make("wasserstein:ordr=1"); }),
            "there is no option of divergence wasserstein named \"ordr\" (hint: did you mean order?)");
  EXPECT_EQ(message_of([] { divergences().make("wasserstein:order=0.5"); }),
            "option order is \"0.5\", expected a number from 1 to 20");
  EXPECT_EQ(message_of([] { divergences().make("energy:3"); }),
            "divergence energy takes no option, but was given \"3\"");
}

TEST(Catalogue, GivesAValueWithoutANameToTheFirstOption) {
  EXPECT_EQ(preparations().complete("pca:3").to_string(), "pca:components=3");
  EXPECT_EQ(divergences().complete("quadratic").to_string(), "quadratic:bandwidth=median,estimator=exact");
}

TEST(Catalogue, TakesPartsFromOutsideButNotATakenName) {
  class Nothing : public Preparation {
    PreparationMap fit(const Matrix& rows, const Executor& /*executor*/) const override {
      AffineMap map;
      map.centre = Vector::Zero(rows.cols());
      map.factor = Vector::Ones(rows.cols());
      return map;
    }
  };
  const auto make = [](const Settings&) -> std::unique_ptr<Preparation> { return std::make_unique<Nothing>(); };
  Catalogue<Preparation> own("preparation", {});
  own.add({{"nothing", "leaves rows as they are", "", {}}, make});
  EXPECT_EQ(std::get<AffineMap>(own.make("nothing")->fit(Matrix::Ones(2, 3), Executor(1))).outputs(), 3);
  EXPECT_THROW(own.add({{"Nothing", "", "", {}}, make}), Error);
}

TEST(Catalogue, EveryPartSaysWhatItIs) {
  const auto check = [](const std::vector<PartInfo>& parts) {
    EXPECT_FALSE(parts.empty());
    for (const PartInfo& part : parts) {
      EXPECT_FALSE(part.summary.empty()) << part.name;
      for (const OptionInfo& option : part.options) EXPECT_FALSE(option.summary.empty()) << part.name;
    }
  };
  check(divergences().list());
  check(formulations().list());
  check(optimisers().list());
  check(preparations().list());
}

TEST(Settings, ReadsWholeNumbersStrictly) {
  const Settings settings{{"a", "3"}, {"b", "3.5"}, {"c", "3x"}, {"d", "nan"}};
  EXPECT_EQ(settings.count("a", 0, 10), 3);
  EXPECT_THROW(settings.count("b", 0, 10), Error);
  EXPECT_THROW(settings.number("c", 0, 10), Error);
  EXPECT_THROW(settings.number("d", 0, 10), Error);
}

TEST(Error, ShowsPlaceMessageAndHint) {
  const Error error(Fault::input, "csv.number", "expected a number", "--na x", {"x.csv", 17, 3});
  EXPECT_STREQ(error.what(), "x.csv:17:3: expected a number (hint: --na x)");
}

TEST(Quoted, EscapesControlBytesAndCutsLongTextBetweenCharacters) {
  EXPECT_EQ(in_quotes("a\x1b[31m\"b"), "\"a\\x1b[31m\\\"b\"");
  EXPECT_EQ(in_quotes("a\u202eb\u200b\u2028\u2066\ufeff\u009b", 100),
            "\"a\\xe2\\x80\\xaeb\\xe2\\x80\\x8b\\xe2\\x80\\xa8\\xe2\\x81\\xa6\\xef\\xbb\\xbf\\xc2\\x9b\"");
  EXPECT_EQ(in_quotes("\u00a0\u00e9\u2013\u20ac\U0001f600"),
            "\"\u00a0\u00e9\u2013\u20ac\U0001f600\"");  // shown as they are
  std::string text(57, 'a');
  for (int i = 0; i < 3; ++i) text.append("\xc3\xa9");
  EXPECT_EQ(cda::in_quotes(text), fmt::format("\"{}\xc3\xa9...\"", text.substr(0, 57)));
}

}  // namespace
