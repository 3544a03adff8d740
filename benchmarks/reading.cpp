// How long a file takes to read, for benchmarks/reading.py, which compares it with pandas: as JSON, seconds of the
// clock and of the processor, the fastest of so many rounds, and the peak of memory.
//
//   build/benchmarks/reading FILE.csv THREADS ROUNDS
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <string>

#include "cda/cda.hpp"

int main(int count, char** arguments) {
  if (count != 4) {
    std::fputs("usage: reading FILE.csv THREADS ROUNDS\n", stderr);
    return 2;
  }
  try {
    cda::ReadOptions options;
    options.threads = std::stoi(arguments[2]);
    double wall = 1e300, processor = 1e300, sum = 0.0;
    for (int round = 0; round < std::stoi(arguments[3]); ++round) {
      const auto began = std::chrono::steady_clock::now();
      const std::clock_t before = std::clock();
      const cda::Table table = cda::read_table(arguments[1], options);
      processor = std::min(processor, static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC);
      wall = std::min(wall, std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
      sum = table.values.sum();
    }
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    std::printf("{\"wall\": %.6f, \"cpu\": %.6f, \"peak_bytes\": %.0f, \"sum\": %.17g}\n", wall, processor,
                1024.0 * static_cast<double>(usage.ru_maxrss), sum);
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "reading: %s\n", problem.what());
    return 1;
  }
}
