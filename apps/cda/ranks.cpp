#include "ranks.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "cda/extend/modules.hpp"
#include "console.hpp"
#include "interrupt.hpp"
#include "launched_ranks.hpp"

namespace cda::command {
namespace {

LaunchedRanks* launched = nullptr;

bool stated(const char* variable) { return std::getenv(variable) != nullptr; }

// The module for the launcher that started this process, by what it puts into the environment; empty: none did.
std::string module_name() {
  if (stated("OMPI_COMM_WORLD_SIZE") || stated("PMIX_RANK")) return "cda_openmpi.so";
  if (stated("PMI_RANK") || stated("PMI_SIZE")) return "cda_mpich.so";
  return "";
}

void* loaded_module(const std::string& name) {
  const std::string path = module_path(name);
  // Global: OpenMPI loads further parts of itself, which look for its names.
  return path.empty() ? nullptr : dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
}

}  // namespace

void join_ranks() {
  const std::string name = module_name();
  if (name.empty()) return;
  void* module = loaded_module(name);
  const auto join =
      module != nullptr ? reinterpret_cast<JoinRanks>(dlsym(module, join_ranks_name)) : static_cast<JoinRanks>(nullptr);
  if (join == nullptr)
    throw Error(Fault::usage, "ranks.module",
                fmt::format("started by a launcher of several processes, but {} cannot be loaded", name),
                "build with -DCDA_WITH_MPI=ON where this MPI is installed, or run cda without mpirun");
  launched = join();
  if (launched->rank() != 0) be_silent();
  if (launched->size() > 1) end_without_words();
}

const Communicator* ranks() { return launched != nullptr && launched->size() > 1 ? launched : nullptr; }
bool first_rank() { return launched == nullptr || launched->rank() == 0; }

void agree(const std::exception_ptr& failure) {
  double failed = failure ? 1.0 : 0.0;
  launched->largest(&failed, 1);
  if (failure) std::rethrow_exception(failure);
  if (failed > 0.0) throw AnotherRankFailed();
}

void all_done() {
  if (ranks() != nullptr) agree(nullptr);
}

void keep_own_rows(Table& table) {
  if (ranks() == nullptr) return;
  const Index rows = table.rows(), size = launched->size(), here = launched->rank();
  const Index begin = here * rows / size, end = (here + 1) * rows / size;
  table.values = Matrix(table.values.middleRows(begin, end - begin));
  if (table.index.empty()) return;
  table.index = {table.index.begin() + begin, table.index.begin() + end};
}

int concluded(const Ending& ending) {
  if (launched == nullptr) {
    print_error(ending.message);
    return ending.code;
  }
  constexpr double patience = 1.5, until_killed = 5.0;  // seconds
  const std::vector<int> codes = launched->ends(ending.code, patience);
  const auto failed = [](int code) { return code > 0 && code != AnotherRankFailed::exit_code; };
  const auto first = std::find_if(codes.begin(), codes.end(), failed);
  const bool all_known = std::find(codes.begin(), codes.end(), LaunchedRanks::unknown) == codes.end();
  const bool told_here = first != codes.end() && first - codes.begin() == launched->rank();
  if (told_here) print_error_anyway(ending.message);
  const int code = first != codes.end() ? *first : ending.code;
  if (all_known) {
    launched->leave();
    return code;
  }
  // Some are still at work, or wait for this one: they would do so for ever.
  if (!told_here) usleep(static_cast<useconds_t>(1e6 * until_killed));
  launched->abort(code);
  return code;
}

}  // namespace cda::command
