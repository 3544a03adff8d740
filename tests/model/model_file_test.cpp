// The model as a file: read back to the byte, older versions read for ever, and nothing believed that was changed.
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <sstream>

#include "model/seal.hpp"
#include "support/data.hpp"
#include "support/samples.hpp"

using namespace cda;
using cda::test::skewed_rows;

namespace {

std::string small_model() {
  const Table x = make_table(skewed_rows(60, 3, "x")), y = make_table(skewed_rows(50, 3, "y"), {}, "y");
  return fit(x, y, {.method = "CDA_M", .components = 1}).to_json();
}

// The same text with something else in it, and a digest that fits: as another program might have written it.
std::string rewritten(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = from[1] == 's' ? text.rfind(from) : text.find(from);  // not the scale among the options
  EXPECT_NE(at, std::string::npos) << from;
  const std::size_t digest = text.find("\"sha256\": \"") + 11;
  return sealed(text.replace(digest, 64, unsealed).replace(at, from.size(), to));
}

Error refusal(const std::string& text) {
  try {
    Model::from_json(text, "model.json");
  } catch (const Error& error) {
    return error;
  }
  return {Fault::internal, "accepted", "accepted " + text.substr(0, 200)};
}

std::string content(const std::string& name) {
  std::ifstream file(test_data + "/models/" + name);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(ModelFile, ReadsBackWhatItWroteToTheByte) {
  const Table x = make_table(skewed_rows(60, 4, "x")), y = make_table(skewed_rows(50, 3, "y"), {}, "y");
  const Model model = fit(x, y, {.method = "rCDA_Q", .prepare = std::vector<PartSpec>{"standardise", "whiten"}});
  const std::string bytes = model.to_json();
  std::vector<std::string> remarks;
  const Model again = Model::from_json(bytes, "model", &remarks);
  EXPECT_TRUE(remarks.empty()) << remarks.front();
  EXPECT_EQ(again.to_json(), bytes);
  EXPECT_EQ(again.transform(Side::y, y), model.transform(Side::y, y));
  const std::string path = testing::TempDir() + "cda_saved_model.json";
  model.save(path);
  EXPECT_EQ(Model::load(path).to_json(), bytes);
}

// version1.json was written by cda 0.1.0 (`cda fit version1_x.csv version1_y.csv --method CDA_Q --prepare
// standardise+whiten --components 2 --max-columns 2 --starts 8`), the values by its `cda transform`.
TEST(ModelFile, ReadsFilesOfVersionOneAndMapsRowsAsTheyDid) {
  const std::string folder = test_data + "/models/";
  std::vector<std::string> remarks;
  const Model model = Model::from_json(content("version1.json"), "version1.json", &remarks);
  EXPECT_TRUE(remarks.empty());
  for (const Side side : {Side::x, Side::y}) {
    const std::string name = side == Side::x ? "version1_x" : "version1_y";
    const Matrix values = model.transform(side, read_table(folder + name + ".csv"));
    const Matrix expected = read_table(folder + name + "_values.csv").values;
    ASSERT_EQ(values.rows(), expected.rows());
    // Other processors add up in another order.
    EXPECT_LT((values - expected).cwiseAbs().maxCoeff(), 1e-12);
  }
  // Written again it is a file of the present version with the same content.
  const std::string now = model.to_json();
  EXPECT_NE(now.find("\"format_version\": 2"), std::string::npos);
  EXPECT_EQ(Model::from_json(now).to_json(), now);
}

// J06.
TEST(ModelFile, NoticesEveryChangedByte) {
  const std::string good = small_model();
  std::string text = good;
  // The lowest bit, the case of letters, space against newline, the highest bit.
  for (std::size_t at = 0; at < text.size(); ++at) {
    for (const int flip : {0x01, 0x20, 0x2a, 0x80}) {
      text[at] = static_cast<char>(text[at] ^ flip);
      const Error error = refusal(text);
      EXPECT_EQ(error.fault(), Fault::input) << "byte " << at << " flipped by " << flip << ": " << error.what();
      EXPECT_EQ(error.place().file, "model.json");
      text[at] = good[at];
    }
  }
  for (std::size_t size = 0; size < good.size(); ++size)
    EXPECT_EQ(refusal(good.substr(0, size)).fault(), Fault::input) << size << " of " << good.size() << " bytes";
  EXPECT_EQ(refusal(good + "\n").fault(), Fault::input);
  EXPECT_EQ(refusal(" " + good).fault(), Fault::input);
}

TEST(ModelFile, SaysThatItWasEditedByHandAndWhatIsWrongWithIt) {
  std::string edited = small_model();
  const auto replace = [&](const std::string& from, const std::string& to) {
    edited.replace(edited.find(from), from.size(), to);
  };
  replace("\"seed\": 0", "\"seed\": 7");
  Error error = refusal(edited);
  EXPECT_EQ(error.code(), "model.changed");
  EXPECT_NE(error.message().find("the file's content does not match its sha256"), std::string::npos);
  EXPECT_NE(error.message().find("it was changed after cda wrote it"), std::string::npos);
  replace("\"pairs\": [", "\"pears\": [");
  error = refusal(edited);
  EXPECT_EQ(error.code(), "model.changed");
  EXPECT_NE(error.message().find("/pairs is missing"), std::string::npos) << error.message();
}

// J01 to J05: the digest fits, the content does not.
TEST(ModelFile, RefusesEveryKindOfContentThatIsNoModelsAndNamesIt) {
  const std::string good = small_model();
  struct Damage {
    std::string from, to, named;
  };
  const std::vector<Damage> damages{
      {"cda-model", "other", "/format"},
      {"\"format_version\": 2", "\"format_version\": 99", "format 99, written by \"cda"},
      {"\"format_version\": 2", "\"format_version\": \"2\"", "/format_version"},
      {"\"format_version\": 2", "\"format_version\": 2.0", "/format_version"},
      {"\"format_version\": 2", "\"format_version\": 0", "/format_version"},
      {"\"format_version\": 2,", "", "/format_version is missing"},
      {"\"sha256\":", "\"sha\":", "/sha256 is missing"},
      {"\"scale\": ", "\"scale\": -", "/pairs/0/scale"},
      {"\"scale\": ", "\"scale\": 1, \"scale\": ", "occurs twice"},
      {"\"scale\": ", "\"scale\": null, \"other\": ", "/pairs/0/scale"},
      {"\"scale\": ", "\"scale\": \"1\", \"other\": ", "/pairs/0/scale"},
      {"\"scale\": ", "\"scale\": NaN, \"other\": ", ""},
      {"\"scale\": ", "\"scale\": 1e999, \"other\": ", "the number \"1e999\" is too large for a double"},
      {"\"x_direction\": [", "\"x_direction\": [1.0, ", "/pairs/0/x_direction must be a list of 3 entries, not 4"},
      {"\"x_direction\": [", "\"x_direction\": [null, ", "/pairs/0/x_direction"},
      {"\"x_loadings\": [", "\"x_loadings\": 3, \"other\": [", "/pairs/0/x_loadings"},
      {"\"seed\": 0", "\"seed\": null", "/seed"},
      {"\"seed\": 0", "\"seed\": -1", "/seed"},
      {"\"rows\": 60", "\"rows\": 1e400", "too large for a double"},
      {"\"rows\": 60", "\"rows\": -60", "/x/rows"},
      {"\"rows\": 60", "\"rows\": 1000000000000000000", "/x/rows"},
      {"\"rows\": 60", "\"rows\": 1e18", "/x/rows"},
      {"\"options\": {", "\"options\": {\"\\u001b[2J\": 3, ", "\"/options/\\x1b[2J\" must be text"},
      {"\"part\": \"minmax\"", "\"part\": \"whiten:,rows=5\"", "/x/preparation/steps/0/part must be a part"},
      {"\"kept\": [", "\"kept\": [7, ", "/x/preparation/kept/0"},
      {"\"columns\": [", "\"columns\": [\"further\", ", "/x/preparation"},
      {"\"pairs\": [", "\"pears\": [", "/pairs is missing"},
  };
  for (const Damage& damage : damages) {
    const Error error = refusal(rewritten(good, damage.from, damage.to));
    EXPECT_EQ(error.fault(), Fault::input) << damage.to << ": " << error.what();
    EXPECT_EQ(error.place().file, "model.json");
    EXPECT_NE(error.message().find(damage.named), std::string::npos) << damage.to << ": " << error.message();
  }
}

TEST(ModelFile, RefusesWhatIsNoJsonWithItsPlace) {
  const std::string good = small_model();
  for (const std::string& text :
       {std::string(), std::string("{"), std::string("[]"), std::string("null"), good.substr(0, good.size() / 2),
        std::string(1000000, '['), "{\"a\":" + std::string(1000000, '[')}) {
    const Error error = refusal(text);
    EXPECT_EQ(error.fault(), Fault::input) << text.substr(0, 60);
    EXPECT_EQ(error.place().file, "model.json");
  }
  EXPECT_GT(refusal(good.substr(0, good.size() / 2)).place().line, 10);
}

// J04: lists are counted before memory is taken for what they claim to be. A hundred thousand empty rows of a hundred
// thousand columns would be 80 gigabytes.
TEST(ModelFile, CountsBeforeItTakesMemory) {
  constexpr int many = 100000;
  std::string names, kept, zeros, empty, pairs;
  for (int i = 0; i < many; ++i) {
    const char* comma = i == 0 ? "" : ",";
    names += comma + ("\"c" + std::to_string(i) + "\"");
    kept += comma + std::to_string(i);
    zeros += std::string(comma) + "0";
    empty += std::string(comma) + "[]";
    pairs += std::string(comma) + "{\"x_direction\":[],\"y_direction\":[]}";
  }
  const auto model = [&](const std::string& steps, const std::string& pair_list) {
    const std::string table = "{\"rows\":2,\"rank\":1,\"columns\":[" + names + "],\"preparation\":{\"kept\":[" + kept +
                              "],\"exponents\":[" + zeros + "],\"constants\":[" + zeros + "],\"steps\":[" + steps +
                              "]}}";
    return "{\"format\":\"cda-model\",\"format_version\":1,\"method\":\"CDA_M\",\"options\":{},\"seed\":0,\"x\":" +
           table + ",\"y\":" + table + ",\"pairs\":[" + pair_list + "],\"warnings\":[]}";
  };
  const std::string wide =
      "{\"part\":\"whiten\",\"centre\":[" + zeros + "],\"forward\":[" + empty + "],\"backward\":[" + empty + "]}";
  EXPECT_NE(refusal(model(wide, "{}")).message().find("/forward/0 must be a list of 100000 entries, not 0"),
            std::string::npos);
  EXPECT_NE(refusal(model("", pairs)).message().find("/pairs/0/x_direction"), std::string::npos);
}

TEST(ModelFile, IgnoresFieldsItDoesNotKnowWithARemark) {
  std::string text = small_model();
  text = rewritten(text, "\"seed\":", "\"colour\": {\"deep\": [1, {\"er\": 2}]}, \"seed\":");
  text = rewritten(text, "\"scale\":", "\"taste\": \"sweet\", \"scale\":");
  std::vector<std::string> remarks;
  Model::from_json(text, "model.json", &remarks);
  ASSERT_EQ(remarks.size(), 1U);
  EXPECT_EQ(remarks.front(),
            "the model has 2 fields this cda does not know and ignores: \"/colour\", \"/pairs/0/taste\"");
}

// A reader that looks through all earlier keys for each new one takes minutes for these, here and under other keys.
TEST(ModelFile, IsReadInTimeThatGrowsWithTheNumberOfItsKeys) {
  std::string keys, objects;
  for (int i = 0; i < 300000; ++i) keys += "\"k" + std::to_string(i) + "\": [" + std::to_string(i) + "], ";
  for (int i = 0; i < 300000; ++i) objects += std::string(i == 0 ? "" : ",") + "{\"k\": " + std::to_string(i) + "}";
  const std::string text = rewritten(small_model(), "\"seed\":", keys + "\"objects\": [" + objects + "], \"seed\":");
  std::vector<std::string> remarks;
  const Model model = Model::from_json(text, "model.json", &remarks);
  EXPECT_EQ(model.to_json(), small_model());
  ASSERT_EQ(remarks.size(), 1U);
  EXPECT_EQ(remarks.front().rfind("the model has 300001 fields this cda does not know and ignores: \"/k0\"", 0), 0U);
  EXPECT_NE(
      refusal(rewritten(text, "\"seed\":", "\"k299999\": 0, \"seed\":")).message().find("\"k299999\" occurs twice"),
      std::string::npos);
}

// J07. Protocols 5, 2, 1 and 0 of the same small object.
TEST(ModelFile, NeverLoadsPickles) {
  using namespace std::string_literals;
  for (const std::string& text : {"\x80\x05\x95\x0b\x00"s, "\x80\x02}q\x00."s, "}q\x00X\x01"s, "(dp0\nVa\np1\nI1\ns."s,
                                  "ccopy_reg\n_reconstructor\np0\n"s}) {
    const Error error = refusal(text);
    EXPECT_EQ(error.fault(), Fault::input);
    EXPECT_EQ(error.message(), "this is a Python pickle; cda never loads pickles");
  }
}

}  // namespace
