#include "cda/options.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "cda/error.hpp"

namespace cda {
namespace {

// For each option a value it does not have by itself, so that nobody forgets a new one.
const std::map<std::string, std::string>& unusual() {
  static const std::map<std::string, std::string> values = {
      {"method", "CDA_Q"},
      {"pairs", "3"},
      {"max_columns", "2"},
      {"divergence", "energy"},
      {"formulation", "reconstruction:cost=paper"},
      {"optimiser", "lbfgs:memory=4"},
      {"prepare", "minmax pca:3"},
      {"bandwidth", "0.25"},
      {"refine", "joint"},
      {"few_valued", "keep"},
      {"scale", "optimised"},
      {"as_published", "yes"},
      {"block_length", "24"},
      {"starts", "8"},
      {"refined", "3"},
      {"scouting_rows", "0"},
      {"max_iterations", "77"},
      {"tolerance", "0.001"},
      {"decrease_tolerance", "1e-05"},
      {"decrease_times", "50"},
      {"seed", "18446744073709551615"},
  };
  return values;
}

struct Names {
  static constexpr bool reads = false;
  std::vector<OptionField> all = {};

  template <class Value>
  void operator()(const OptionField& info, const Value&) {
    all.push_back(info);
  }
};

std::vector<OptionField> every_option() {
  Names names;
  const FitOptions options;
  fields(names, options);
  return names.all;
}

TEST(FitOptions, EachSurvivesTheModelAndStandsInTheLineThatDoesItAgain) {
  for (const OptionField& info : every_option()) {
    SCOPED_TRACE(info.name);
    ASSERT_EQ(unusual().count(info.name), 1U);
    const std::string value = unusual().at(info.name), saved = info.saved != nullptr ? info.saved : info.name;
    FitOptions options;
    options.formulation = PartSpec("iterative");  // else what is for methods of parts is not in force
    const FitOptions usual = options;
    set_option(options, info.name, value, info.name);
    if (saved.empty()) continue;  // the seed, which models and lines hold by itself
    EXPECT_EQ(texts_of(options).at(saved), value);
    FitOptions again;
    EXPECT_TRUE(set_from_saved(again, saved, value));
    again.formulation = options.formulation;
    EXPECT_EQ(texts_of(again), texts_of(options));
    if (saved == "method") continue;  // stands in front of all others
    std::string flag = std::string(" --") + info.name;
    std::replace(flag.begin(), flag.end(), '_', '-');
    EXPECT_EQ(flags_between(usual, options).rfind(flag, 0), 0U) << flags_between(usual, options);
  }
}

TEST(FitOptions, ThoseForPartsAreNoticedWhereAMethodHasNone) {
  for (const OptionField& info : every_option()) {
    FitOptions options;
    set_option(options, info.name, unusual().at(info.name), info.name);
    EXPECT_EQ(asked_of_parts(options), info.parts ? info.name : "") << info.name;
  }
}

TEST(FitOptions, WhatCannotBeSaysWhatCouldInTheWordsItWasAskedIn) {
  FitOptions options;
  const auto refused = [&](const std::string& name, const std::string& text) -> std::string {
    try {
      set_option(options, name, text, "--" + name);
    } catch (const Error& error) {
      return error.message();
    }
    return "taken";
  };
  EXPECT_EQ(refused("refined", "0"), "--refined is \"0\", expected a whole number from 1 to 1000000000");
  EXPECT_EQ(refused("refine", "yes"), "--refine is \"yes\", expected none or joint");
  EXPECT_NE(refused("tolerance", "2").find("--tolerance"), std::string::npos);
  EXPECT_EQ(refused("pairs", "auto"), "taken");
  EXPECT_THROW(set_option(options, "no_such", "1", "no_such"), Error);
}

}  // namespace
}  // namespace cda
