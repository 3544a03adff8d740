#include <fmt/format.h>
#include <sys/stat.h>

#include <functional>
#include <thread>

#include "files/byte_source.hpp"
#include "files/input_file.hpp"
#include "support.hpp"

namespace {

using namespace cda;
using namespace cda::data_tests;
using namespace std::string_literals;

const std::string small = "a,b\n1,2.5\n3,-4\n5,6e10\n";

// Compresses well, but not to nothing.
std::string long_content() {
  std::string text = "a,b\n";
  for (int i = 0; i < 40'000; ++i) text += fmt::format("{},{}\n", i, (i * 7919) % 1000);
  return text;
}

class Compressed : public TableFile, public testing::WithParamInterface<std::string> {
 protected:
  Compressed() : TableFile("x.csv") {}
  std::string packed(const std::string& content) const {
    return GetParam() == "gzip" ? gzip_of(content) : zstd_of(content);
  }
  std::string code(const std::string& what) const { return (GetParam() == "gzip" ? "gzip." : "zstd.") + what; }
};

// Gives at most so many bytes at a time, as a slow pipe does.
class Drops final : public ByteSource {
 public:
  Drops(std::string bytes, std::size_t most) : bytes_(std::move(bytes)), most_(most) {}
  std::size_t read(char* to, std::size_t room) override {
    const std::size_t count = std::min({room, most_, bytes_.size() - at_});
    std::memcpy(to, bytes_.data() + at_, count);
    at_ += count;
    return count;
  }

 private:
  std::string bytes_;
  std::size_t most_, at_ = 0;
};

std::string unpacked(const std::string& packed, const std::string& compression, std::size_t given, std::size_t taken) {
  const auto source = decompressed(std::make_unique<Drops>(packed, given), compression, "x");
  std::string all;
  std::vector<char> buffer(taken);
  while (const std::size_t got = source->read(buffer.data(), taken)) all.append(buffer.data(), got);
  EXPECT_EQ(source->read(buffer.data(), taken), 0u) << "the end is no longer the end";
  return all;
}

TEST_P(Compressed, IsReadAsTheContentItHoldsWhateverItsName) {
  const Table plain = read(small);
  for (const char* name : {"x.csv.gz", "x.csv.zst", "x.csv", "x.gz", "x", "x.arff.csv", "x.txt.GZ"}) {
    const Table table = read_table(folder.write(name, packed(small)));
    EXPECT_TRUE(same_table(table, plain)) << name;
    EXPECT_EQ(table.source, folder / name);
  }
}

TEST_P(Compressed, TakesTheFormatFromTheNameBelowTheCompression) {
  const std::string arff = "@relation r\n@attribute a numeric\n@data\n1\n2\n";
  for (const char* name : {"x.arff.gz", "x.arff.zst", "X.ARFF.GZ", "x.arff"})
    EXPECT_EQ(read_table(folder.write(name, packed(arff))).rows(), 2) << name;
}

TEST_P(Compressed, SeveralInARowAreOneStream) {
  const Table plain = read(small);
  for (std::size_t cut = 0; cut <= small.size(); ++cut)
    EXPECT_TRUE(same_table(read(packed(small.substr(0, cut)) + packed(small.substr(cut))), plain)) << cut;
  EXPECT_TRUE(same_table(read(packed("") + packed("") + packed(small) + packed("")), plain));
}

TEST_P(Compressed, NothingInsideIsAnEmptyFile) { EXPECT_EQ(refused(packed("")).code(), "csv.empty"); }

TEST_P(Compressed, ComesOutWholeHoweverFewBytesAreGivenOrTaken) {
  const std::string content = long_content().substr(0, 20'000), twice = packed(content) + packed(content);
  for (const std::size_t given : {1, 7, 1 << 20})
    for (const std::size_t taken : {1, 5, 4096, 1 << 20})
      EXPECT_EQ(unpacked(twice, GetParam(), given, taken), content + content) << given << " " << taken;
}

// A little input can hold much output, which is still inside the library when the input has ended.
TEST_P(Compressed, ComesOutWholeWhenTheInputEndedLongBefore) {
  const std::string content(3'000'000, 'x');
  EXPECT_EQ(unpacked(packed(content), GetParam(), 1 << 20, 1000), content);
}

TEST_P(Compressed, IsNeverTakenForWholeWhenItsEndIsMissing) {
  expect_every_beginning_refused(packed(small));
  const std::string first = packed(small), both = first + packed("7,8\n9,10\n");
  for (std::size_t length = first.size() + 1; length < both.size(); ++length)
    EXPECT_FALSE(table_unless_refused(both.substr(0, length))) << length;
}

TEST_P(Compressed, SaysHowFarItCameWhenItsEndIsMissing) {
  const std::string content = long_content(), whole = packed(content);
  const Error error = refused(whole.substr(0, whole.size() - 2000));
  expect_at(error, code("truncated"), 0, 0);
  EXPECT_TRUE(holds(error.message(), " lines (")) << error.message();
  EXPECT_FALSE(holds(error.message(), " 0 lines")) << error.message();
  EXPECT_TRUE(holds(error.hint(), "copy it again"));
}

TEST_P(Compressed, EveryDamagedByteIsNoticed) { expect_every_damage_noticed(packed(small)); }

TEST_P(Compressed, BytesAfterTheEndAreRefused) {
  for (const char* garbage : {"x", "xyz", "1,2\n3,4\n", "PK\3\4xxxxxxxxxxxxxxxxxxxx"})
    EXPECT_EQ(refused(packed(small) + garbage).fault(), Fault::input) << garbage;
  EXPECT_EQ(refused(packed(small) + std::string(512, '\0')).fault(), Fault::input);
}

TEST_P(Compressed, ABombIsStoppedAtTheLimit) {
  const std::string bomb = packed("a,b\n" + std::string(30'000'000, '1'));
  ASSERT_LT(bomb.size(), 100'000u);
  const Error error = refused(bomb, {.max_bytes = 1'000'000});
  EXPECT_EQ(error.fault(), Fault::resource);
  EXPECT_EQ(error.code(), "input.too-large");
  EXPECT_EQ(error.message(), "the content is larger than 1000000 bytes when unpacked");
  EXPECT_TRUE(holds(error.hint(), "--max-bytes"));
}

TEST_P(Compressed, TheLimitIsOnWhatComesOutAndExact) {
  EXPECT_EQ(read(packed(small), {.max_bytes = small.size()}).rows(), 3);
  EXPECT_EQ(refused(packed(small), {.max_bytes = small.size() - 1}).fault(), Fault::resource);
}

TEST_P(Compressed, ComesThroughAPipe) {
  const std::string pipe = folder / "pipe", content = packed(long_content());
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(pipe, std::ios::binary) << content; });
  const Table table = read_table(pipe);
  writer.join();
  EXPECT_EQ(table.rows(), 40'000);
  EXPECT_EQ(table.values(39'999, 0), 39'999.0);
}

TEST_P(Compressed, IsNotHandedToLibrariesThatOpenFilesThemselves) {
  const Error error = error_of([&] { InputFile(folder.write("x.csv", packed(small))).path_for_library(); });
  EXPECT_EQ(error.code(), "input.compressed");
  EXPECT_TRUE(holds(error.hint(), GetParam() == "gzip" ? "gunzip" : "unzstd"));
}

INSTANTIATE_TEST_SUITE_P(Both, Compressed, testing::Values("gzip", "Zstandard"),
                         [](const auto& compression) { return compression.param; });

class Gzip : public TableFile {
 protected:
  Gzip() : TableFile("x.csv.gz") {}
};

TEST_F(Gzip, IsReadAtEveryLevelAlsoStored) {
  for (const int level : {0, 1, 9}) EXPECT_EQ(read(gzip_of(small, level)).rows(), 3) << level;
}

TEST_F(Gzip, MayCarryAFileName) {
  std::string named = gzip_of(small);
  named[3] = 8;  // FNAME
  named.insert(10, std::string("x.csv") + '\0');
  EXPECT_EQ(read(named).rows(), 3);
}

TEST_F(Gzip, TellsDamageFromWhatWasAppended) {
  std::string damaged = gzip_of(small);
  damaged[damaged.size() - 6] = static_cast<char>(damaged[damaged.size() - 6] + 1);  // of the CRC
  EXPECT_EQ(refused(damaged).code(), "gzip.damaged");
  EXPECT_EQ(refused(gzip_of(small) + "hello, world").code(), "gzip.trailing");
}

class Zstandard : public TableFile {
 protected:
  Zstandard() : TableFile("x.csv.zst") {}
};

// Programs that pack with several threads put one in front of every frame, to say how long it is.
TEST_F(Zstandard, FramesToBeSkippedAreSkippedAlsoAtTheBegin) {
  const std::string note = std::string("\x50\x2a\x4d\x18") + little(5, 4) + "hello";
  EXPECT_EQ(read(note + zstd_of(small)).rows(), 3);
  EXPECT_EQ(read(zstd_of(small) + note).rows(), 3);
  EXPECT_FALSE(table_unless_refused(note));
}

// The sign of such a frame, "P*M" and a control byte, is told from a text that begins with the same letters.
// What `zstd --long=31` writes: whole, but it takes 2 GB to unpack.
TEST_F(Zstandard, MoreMemoryThanIsUsualIsNotCalledDamage) {
  const std::string one_raw_byte = "\x09\0\0x"s;  // the last block, one byte as it is
  const Error error = refused("\x28\xb5\x2f\xfd"s + "\0"s + "\xa8"s + one_raw_byte);
  EXPECT_EQ(error.code(), "zstd.window") << error.what();
  EXPECT_EQ(error.fault(), Fault::resource);
  EXPECT_TRUE(holds(error.hint(), "zstd -d --long=31"));
}

TEST_F(Zstandard, TextThatBeginsAlikeIsText) { EXPECT_EQ(read("P*M,b\n1,2\n").names, (Names{"P*M", "b"})); }

class Stream : public testing::Test {};

TEST_F(Stream, APipeIsReadOnceAndNotHandedToLibraries) {
  const Folder folder;
  const std::string pipe = folder / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(pipe) << small; });
  InputFile file(pipe);
  EXPECT_EQ(file.size(), 0u);
  EXPECT_EQ(error_of([&] { file.path_for_library(); }).code(), "input.stream");
  EXPECT_EQ(file.bytes(), small);
  writer.join();
}

TEST_F(Stream, AFileThatGrowsWhileItIsReadIsRefused) {
  const Folder folder;
  const std::string path = folder.write("x.csv", small);
  InputFile file(path);
  std::ofstream(path, std::ios::app) << "7,8\n";
  EXPECT_EQ(error_of([&] { file.bytes(); }).code(), "io.changed");
}

TEST_F(Stream, TheLimitHoldsForPlainFilesToo) {
  const Folder folder;
  const std::string path = folder.write("x.csv", small);
  EXPECT_EQ(read_table(path, {.max_bytes = small.size()}).rows(), 3);
  const Error error = error_of([&] { read_table(path, {.max_bytes = small.size() - 1}); });
  EXPECT_EQ(error.fault(), Fault::resource);
  EXPECT_EQ(error.message(), fmt::format("the content is larger than {} bytes", small.size() - 1));
}

}  // namespace
