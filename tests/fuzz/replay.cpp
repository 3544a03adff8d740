// Runs every file of corpus/TARGET through its target, and a few inputs that are always worth trying:
//
//   fuzz_replay CORPUS [TARGET]
//
// Exits with 0 where all promises hold, and with 1 where a target has no corpus.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "fuzz/targets.hpp"

namespace {

std::string content(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// Every short beginning, a flipped bit and a doubled part: what a fuzzer tries first.
void run_near(const cda::fuzz::Target& target, const std::string& input) {
  target.run(input);
  for (std::size_t length = 0; length < input.size(); length += 1 + input.size() / 16)
    target.run(std::string_view(input).substr(0, length));
  for (std::size_t at = 0; at < input.size(); at += 1 + input.size() / 16) {
    std::string changed = input;
    changed[at] = static_cast<char>(changed[at] ^ (1 << (at % 8)));
    target.run(changed);
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) return 2;
  int missing = 0;
  for (const cda::fuzz::Target& target : cda::fuzz::targets) {
    if (count > 2 && std::string(arguments[2]) != target.name) continue;
    std::vector<std::filesystem::path> files;
    const std::filesystem::path folder = std::filesystem::path(arguments[1]) / target.name;
    if (std::filesystem::is_directory(folder))
      for (const auto& entry : std::filesystem::directory_iterator(folder)) files.push_back(entry.path());
    for (const auto& file : files) run_near(target, content(file));
    std::printf("%s: %zu files\n", target.name, files.size());
    if (files.empty()) ++missing;
  }
  return missing == 0 ? 0 : 1;
}
