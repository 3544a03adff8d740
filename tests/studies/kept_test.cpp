// Results of replicates as text and back, and studies that go on where they were interrupted.
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

#include "cda/error.hpp"
#include "studies/kept_values.hpp"

namespace {

using namespace cda;

struct Part {
  double value = 0.0;
  std::optional<double> other;
  static auto fields(auto& self) { return std::tie(self.value, self.other); }
};
struct Whole {
  std::string words;
  Index count = 0;
  bool yes = false;
  Share share;
  Vector numbers;
  std::vector<std::optional<Part>> parts;
  std::map<std::string, Share> by_name;
  std::array<double, 2> both{};
  static auto fields(auto& self) {
    return std::tie(self.words, self.count, self.yes, self.share, self.numbers, self.parts, self.by_name, self.both);
  }
};
struct WithoutFields {
  double value = 0.0;
};
static_assert(Keepable<Whole> && Keepable<std::vector<Part>> && !Keepable<WithoutFields> &&
              !Keepable<std::vector<WithoutFields>>);

Whole filled() {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return {"two words,\n\"and\" 3 : 4 ",
          -7,
          true,
          {3, 10},
          Vector::LinSpaced(5, -1.0 / 3.0, 1e-310),
          {std::nullopt, Part{std::nan(""), infinity}, Part{-0.0, std::nullopt}},
          {{"", {1, 2}}, {"a b", {0, 0}}},
          {0.1 + 0.2, -infinity}};
}

TEST(KeptValues, AreReadAsTheyWereWritten) {
  const Whole before = filled();
  const std::string text = kept_text(before);
  const auto after = from_kept_text<Whole>(text);
  ASSERT_TRUE(after.has_value());
  EXPECT_EQ(kept_text(*after), text);  // nan is equal to nan as text only
  EXPECT_EQ(after->words, before.words);
  EXPECT_EQ(after->count, before.count);
  EXPECT_TRUE(after->yes);
  EXPECT_EQ(after->share.of, 10);
  EXPECT_EQ(after->numbers, before.numbers);
  ASSERT_EQ(after->parts.size(), 3u);
  EXPECT_FALSE(after->parts[0].has_value());
  EXPECT_TRUE(std::isnan(after->parts[1]->value) && std::isinf(*after->parts[1]->other));
  EXPECT_TRUE(std::signbit(after->parts[2]->value) && !after->parts[2]->other);
  EXPECT_EQ(after->by_name.at("").of, 2);
  EXPECT_EQ(after->both, before.both);
}

TEST(KeptValues, ThatAreCutShortOrOfAnotherKindAreNoValues) {
  const std::string text = kept_text(filled());
  for (std::size_t size = 0; size < text.size(); ++size)
    EXPECT_FALSE(from_kept_text<Whole>(std::string_view(text).substr(0, size)).has_value()) << size;
  EXPECT_FALSE(from_kept_text<Whole>(text + "1 ").has_value());
  EXPECT_FALSE(from_kept_text<double>("abc ").has_value());
  EXPECT_FALSE(from_kept_text<std::vector<double>>("99999999999999 1 ").has_value());
}

class KeptStudy : public testing::Test {
 protected:
  KeptStudy() : path_(std::filesystem::temp_directory_path() / ("cda_kept_" + std::to_string(getpid()) + ".part")) {
    std::filesystem::remove(path_);
  }
  ~KeptStudy() override { std::filesystem::remove(path_); }

  ExperimentOptions options(int threads) const {
    ExperimentOptions options{.effort = ExperimentOptions::Effort::quick, .runs = 4, .seed = 3, .threads = threads};
    return options;
  }
  // Stopped as soon as so many replicates are kept; whole where there are not as many.
  std::optional<std::string> run(Index stop_after, int threads) const {
    ExperimentOptions running = options(threads);
    running.kept = replicates_in_file(path_, "thresholds", running);
    try {
      return run_experiment("thresholds", running,
                            [&](const std::string&, double) { return running.kept->count() < stop_after; })
          .to_json();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), "interrupted");
      return std::nullopt;
    }
  }
  std::string content() const {
    std::ifstream file(path_, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
  }

  std::string path_;
};

TEST_F(KeptStudy, EndsWithTheSameBytesHoweverOftenItWasInterrupted) {
  const std::string whole = run_experiment("thresholds", options(1)).to_json();
  EXPECT_FALSE(run(2, 1).has_value());
  EXPECT_FALSE(run(7, 2).has_value());
  const Index kept = replicates_in_file(path_, "thresholds", options(1))->count();
  EXPECT_GE(kept, 7);
  {
    std::ofstream file(path_, std::ios::binary | std::ios::app);
    file << "{\"replicate\": \"n = 300, d = 5: 4\", \"res";  // the process was ended here
  }
  EXPECT_EQ(replicates_in_file(path_, "thresholds", options(1))->count(), kept);
  EXPECT_EQ(run(1000, 2), whole);
}

TEST_F(KeptStudy, IsNotMixedUpWithAnother) {
  EXPECT_FALSE(run(3, 1).has_value());
  const std::string before = content();
  ExperimentOptions other = options(1);
  EXPECT_EQ(replicates_in_file(path_, "thresholds", other)->count(), 3);
  EXPECT_EQ(content(), before);
  other.seed = 4;
  EXPECT_EQ(replicates_in_file(path_, "thresholds", other)->count(), 0);
  EXPECT_FALSE(run(3, 1).has_value());
  other = options(1);
  other.runs = 5;
  EXPECT_EQ(replicates_in_file(path_, "thresholds", other)->count(), 0);
  EXPECT_THROW(replicates_in_file("/nowhere/at/all.part", "thresholds", other), Error);
}

}  // namespace
