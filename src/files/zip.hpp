// The files in a zip archive held in memory, as far as .npz needs it: stored or deflated, with zip64 sizes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cda {

struct ZipEntry {
  std::string name;
  int method = 0;  // 0 stored, 8 deflated
  std::uint64_t packed = 0, unpacked = 0, offset = 0;
  std::uint32_t checksum = 0;
  bool encrypted = false;
};

// What the archive's directory lists. Throws an Error with `file` where it is damaged.
std::vector<ZipEntry> zip_entries(std::string_view archive, const std::string& file);

// The content of one entry, its length and checksum checked. More than `most_bytes` is an Error (resource).
std::string zip_content(std::string_view archive, const ZipEntry& entry, std::uint64_t most_bytes,
                        const std::string& file);

}  // namespace cda
