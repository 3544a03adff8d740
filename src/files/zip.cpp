// A zip archive is read from its end: the end record says where the directory is, the directory where the entries are.
// Sizes that do not fit into 32 bits stand in an extra field (zip64). Every offset is checked against the archive
// before it is followed.
#include "files/zip.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include "cda/error.hpp"
#include "files/inflated.hpp"

namespace cda {
namespace {

using namespace std::string_view_literals;

constexpr auto end_sign = "PK\x05\x06"sv, zip64_sign = "PK\x06\x06"sv, zip64_locator_sign = "PK\x06\x07"sv;
constexpr auto directory_sign = "PK\x01\x02"sv, entry_sign = "PK\x03\x04"sv;
constexpr std::uint64_t in_zip64 = 0xffffffff;

class Archive {
 public:
  Archive(std::string_view bytes, const std::string& file) : bytes_(bytes), file_(file) {}

  [[noreturn]] void damaged(const std::string& what) const {
    throw Error(Fault::input, "zip.damaged", "the zip archive is damaged: " + what,
                "the file is damaged or incomplete: copy it again", {.file = file_});
  }
  std::string_view part(std::uint64_t at, std::uint64_t count) const {
    if (at > bytes_.size() || count > bytes_.size() - at) damaged("it ends early");
    return bytes_.substr(at, count);
  }
  std::uint64_t number(std::uint64_t at, std::uint64_t count) const {
    const std::string_view digits = part(at, count);
    std::uint64_t value = 0;
    for (std::size_t i = digits.size(); i-- > 0;) value = value << 8 | static_cast<unsigned char>(digits[i]);
    return value;
  }
  bool sign_at(std::uint64_t at, std::string_view sign) const {
    return at <= bytes_.size() && bytes_.substr(at, sign.size()) == sign;
  }

  std::vector<ZipEntry> entries() const {
    const std::size_t end = bytes_.rfind(end_sign);
    if (end == std::string_view::npos) damaged("its directory is missing");
    const std::uint64_t comment_length = number(end + 20, 2);
    if (end + 22 + comment_length != bytes_.size()) damaged("it does not end where it says");
    std::uint64_t count = number(end + 10, 2), at = number(end + 16, 4), directory_end = end;
    if (end >= 20 && sign_at(end - 20, zip64_locator_sign)) {
      const std::uint64_t record = number(end - 20 + 8, 8);
      if (!sign_at(record, zip64_sign)) damaged("its zip64 directory is missing");
      count = number(record + 32, 8);
      at = number(record + 48, 8);
      directory_end = record;
    }
    std::vector<ZipEntry> found;
    for (std::uint64_t i = 0; i < count; ++i) {
      if (!sign_at(at, directory_sign)) damaged(fmt::format("entry {} of its directory is missing", i + 1));
      const std::uint64_t name = number(at + 28, 2), extra = number(at + 30, 2), comment = number(at + 32, 2);
      ZipEntry entry{.name = std::string(part(at + 46, name)),
                     .method = static_cast<int>(number(at + 10, 2)),
                     .packed = number(at + 20, 4),
                     .unpacked = number(at + 24, 4),
                     .offset = number(at + 42, 4),
                     .checksum = static_cast<std::uint32_t>(number(at + 16, 4)),
                     .encrypted = (number(at + 8, 2) & 1) != 0};
      read_zip64(entry, at + 46 + name, extra);
      check_place(entry);
      found.push_back(std::move(entry));
      at += 46 + name + extra + comment;
    }
    if (at != directory_end) damaged("its directory is longer than it says");
    return found;
  }

  std::string_view packed(const ZipEntry& entry) const {
    const std::uint64_t begin = entry.offset + 30 + number(entry.offset + 26, 2) + number(entry.offset + 28, 2);
    return part(begin, entry.packed);
  }

 private:
  // The name stands in the directory and before the content: what was damaged is not taken for another array.
  void check_place(const ZipEntry& entry) const {
    if (!sign_at(entry.offset, entry_sign) || number(entry.offset + 26, 2) != entry.name.size() ||
        part(entry.offset + 30, entry.name.size()) != entry.name)
      damaged(in_quotes(entry.name) + " is not where the directory says");
  }

  // The sizes that are all ones above follow here, in this order, in the extra field number 1.
  void read_zip64(ZipEntry& entry, std::uint64_t at, std::uint64_t length) const {
    const std::uint64_t end = at + length;
    while (at + 4 <= end) {
      const std::uint64_t kind = number(at, 2), size = number(at + 2, 2);
      std::uint64_t field = at + 4;
      at = field + size;
      if (kind != 1) continue;
      for (std::uint64_t* value : {&entry.unpacked, &entry.packed, &entry.offset})
        if (*value == in_zip64 && field + 8 <= at) {
          *value = number(field, 8);
          field += 8;
        }
    }
  }

  std::string_view bytes_;
  const std::string& file_;
};

std::string unpacked(std::string_view packed, const ZipEntry& entry, const Archive& archive) {
  Inflated out = inflated(packed, deflate_stream, entry.unpacked);
  if (out.bytes.size() > entry.unpacked) archive.damaged(in_quotes(entry.name) + " is longer than the directory says");
  if (!out.ended) archive.damaged(in_quotes(entry.name) + " cannot be unpacked");
  return std::move(out.bytes);
}

}  // namespace

std::vector<ZipEntry> zip_entries(std::string_view archive, const std::string& file) {
  return Archive(archive, file).entries();
}

std::string zip_content(std::string_view archive, const ZipEntry& entry, std::uint64_t most_bytes,
                        const std::string& file) {
  const Archive zip(archive, file);
  if (entry.encrypted)
    throw Error(Fault::input, "zip.encrypted", in_quotes(entry.name) + " is encrypted", "", {.file = file});
  if (entry.unpacked > most_bytes)
    throw Error(Fault::resource, "input.too-large",
                fmt::format("{} is larger than {} bytes when unpacked", in_quotes(entry.name), most_bytes),
                "--max-bytes allows more, if the machine has the memory", {.file = file});
  const std::string_view packed = zip.packed(entry);
  std::string content;
  if (entry.method == 0)
    content = packed;
  else if (entry.method == 8)
    content = unpacked(packed, entry, zip);
  else
    throw Error(Fault::input, "zip.method",
                fmt::format("{} is packed by method {}, which is not known", in_quotes(entry.name), entry.method),
                "numpy.savez and numpy.savez_compressed write what can be read", {.file = file});
  const auto* bytes = reinterpret_cast<const Bytef*>(content.data());
  if (content.size() != entry.unpacked || crc32_z(0, bytes, content.size()) != entry.checksum)
    zip.damaged("the checksum of " + in_quotes(entry.name) + " is wrong");
  return content;
}

}  // namespace cda
