// Files that are not whole: each is read as what it was or refused as bad input, and never ends the program.
#include "cda/extend/random.hpp"
#include "cda/files.hpp"
#include "files/parquet_support.hpp"

namespace {

using namespace cda;
using data_tests::error_of;

class DamagedParquet : public format_tests::ParquetTest {
 protected:
  std::string bytes(const std::string& options = "") const {
    file("whole.parquet", "SELECT range::DOUBLE a, range % 7 b, 'text' || range % 3 c FROM range(3000)", options);
    return folder.read("whole.parquet");
  }

  // Reads it; what is refused must be refused as bad input. True where it was read.
  bool survives(const std::string& content) const {
    const std::string path = folder.write("damaged.parquet", content);
    try {
      read_table(path, {.encode = {{.column = "c"}}});
      return true;
    } catch (const Error& error) {
      EXPECT_TRUE(error.fault() == Fault::input || error.fault() == Fault::resource ||
                  error.code() == "columns.unknown")
          << error.what();
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
      EXPECT_NE(std::string(error.what()).find("damaged.parquet"), std::string::npos);
      EXPECT_EQ(std::string(error.what()).find("/proc/"), std::string::npos);
      return false;
    }
  }
};

TEST_F(DamagedParquet, IsSaidToBeSoWithTheFileAndWhatDuckDbSays) {
  const std::string path = folder.write("cut.parquet", bytes().substr(0, 1000));
  const Error error = error_of([&] { read_table(path); });
  EXPECT_EQ(error.fault(), Fault::input);
  EXPECT_EQ(error.code(), "parquet.damaged");
  EXPECT_EQ(error.place().file, path);
  EXPECT_EQ(error.message(),
            "this cannot be read as Parquet; DuckDB says: \"Invalid Input Error: No magic bytes found at end of the "
            "file\"");
}

TEST_F(DamagedParquet, CutShortAnywhereIsRefused) {
  const std::string whole = bytes();
  for (std::size_t length = 0; length < whole.size(); length += length < 16 ? 1 : 1 + whole.size() / 30)
    EXPECT_FALSE(survives(whole.substr(0, length))) << length;
  for (std::size_t lost = 1; lost <= 16; ++lost) EXPECT_FALSE(survives(whole.substr(0, whole.size() - lost))) << lost;
}

TEST_F(DamagedParquet, WithFlippedBitsIsReadOrRefused) {
  for (const char* options : {"", ", COMPRESSION zstd", ", COMPRESSION uncompressed, PARQUET_VERSION v2"}) {
    const std::string whole = bytes(options);
    Random random(7, "flipped bits");
    for (int trial = 0; trial < 40; ++trial) {
      std::string changed = whole;
      // Half of them in the description at the end, where they do most.
      const std::size_t from = trial % 2 == 0 ? 0 : whole.size() - std::min<std::size_t>(whole.size(), 800);
      for (int flip = 0; flip <= trial % 3; ++flip) {
        const auto at = from + static_cast<std::size_t>(random.below(static_cast<Index>(whole.size() - from)));
        changed[at] = static_cast<char>(changed[at] ^ (1 << (trial % 8)));
      }
      survives(changed);
    }
  }
}

TEST_F(DamagedParquet, OfOtherContentIsRefused) {
  EXPECT_FALSE(survives("PAR1PAR1"));
  EXPECT_FALSE(survives("PAR1" + std::string(100, '\0') + "PAR1"));
  EXPECT_FALSE(survives("PAR1" + std::string(100, '\xff') + "PAR1"));
  EXPECT_FALSE(survives("PAR1" + std::string("\xff\xff\xff\x7f", 4) + "PAR1"));
  const std::string whole = bytes();
  EXPECT_FALSE(survives(whole.substr(0, whole.size() - 1) + 'E'));  // says that it is encrypted
  std::string doubled = whole;
  doubled += doubled.substr(0, doubled.size() / 2);
  EXPECT_FALSE(survives(doubled));
}

}  // namespace
