// What the parts cost, as ratios to work that cannot be avoided, all measured in one run. The unit is two passes over
// both tables, X u and then X'g (and Y v, Y'h), on the same threads; a fit of CDA_M is compared with one pass that
// forms X'X and Y'Y. Times are the fastest of several rounds in which everything takes turns, so that a busy machine
// slows all alike. Absolute times are kept in the file, but only the ratios can be compared between machines.
//
//   build/benchmarks/scale                                      n = k = 1,000,000, m = l = 50, threads 1 and 2
//   build/benchmarks/scale --rows 200000 --columns 20 -o now.json --compare before.json
//   build/benchmarks/scale --only mallows_fit                   the whole fit of CDA_M alone, by the clock and by the
//   processor
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <functional>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cda/cda.hpp"

namespace {

using cda::Executor;
using cda::Index;
using cda::Matrix;
using cda::Projection;
using cda::Sample;
using cda::Vector;
using Json = nlohmann::ordered_json;

struct Request {
  Index rows = 1'000'000, columns = 50;
  int rounds = 5;
  std::string output, earlier, only;
};

double seconds(const std::function<void()>& work) {
  const auto began = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

// Skewed columns, mixed a little: projections are neither bell curves nor alike.
Matrix made(Index rows, Index columns, const char* stream) {
  cda::Random random(0, stream);
  Matrix values(rows, columns);
  for (Index j = 0; j < columns; ++j) {
    for (Index i = 0; i < rows; ++i) values(i, j) = random.normal();
    if (j % 3 == 0) values.col(j) = values.col(j).array().square() - 1.0;
    if (j > 0) values.col(j) += 0.3 * values.col(j - 1);
  }
  return values;
}

Matrix passes(const Matrix& rows, const Vector& direction, const Executor& executor) {
  Vector values(rows.rows());
  executor.for_rows(rows.rows(), [&](Index begin, Index end) {
    values.segment(begin, end - begin).noalias() = rows.middleRows(begin, end - begin) * direction;
  });
  return executor.sum_rows(rows.rows(), Vector(Vector::Zero(rows.cols())), [&](Index begin, Index end, Vector& part) {
    part.noalias() += rows.middleRows(begin, end - begin).transpose() * values.segment(begin, end - begin);
  });
}

Matrix gram(const Matrix& rows, const Executor& executor) {
  const Matrix zero = Matrix::Zero(rows.cols(), rows.cols());
  return executor.sum_rows(rows.rows(), zero, [&](Index begin, Index end, Matrix& part) {
    part.selfadjointView<Eigen::Lower>().rankUpdate(rows.middleRows(begin, end - begin).transpose());
  });
}

// The divergences at widths that are fixed shares of the values' spread.
std::vector<std::pair<std::string, std::string>> measured_divergences(double spread) {
  const auto width = [&](double share) { return ":bandwidth=" + std::to_string(share * spread); };
  return {{"extended_mallows", "extended_mallows"},
          {"wasserstein", "wasserstein"},
          {"energy", "energy"},
          {"quadratic, bandwidth 1 spread", "quadratic" + width(1.0)},
          {"quadratic, bandwidth 1/2 spread", "quadratic" + width(0.5)},
          {"quadratic, bandwidth 1/10 spread", "quadratic" + width(0.1)},
          {"quadratic, bandwidth 1/50 spread", "quadratic" + width(0.02)},
          {"mmd, bandwidth 1/2 spread", "mmd" + width(0.5)},
          {"pearson, bandwidth 1/2 spread", "pearson:lambda=0.1,centres=200," + width(0.5).substr(1)}};
}

struct Times {
  double passes = 0.0, gram = 0.0;
  std::map<std::string, double> evaluations;
};

Times timed(const Matrix& x_rows, const Matrix& y_rows, int threads, int rounds) {
  const Executor executor(threads);
  const Sample x(x_rows, executor), y(y_rows, executor);
  Vector u = Vector::LinSpaced(x.dimension(), 0.5, 1.5).normalized(), v = u.reverse();
  const double spread = std::sqrt(x.covariance_of(u)(0, 0));
  (void)y.covariance();
  const auto projections = [&] {
    return std::pair(Projection(x, u, Vector::Ones(1)), Projection(y, v, Vector::Ones(1)));
  };
  std::map<std::string, std::unique_ptr<cda::Divergence>> divergences;
  for (const auto& [name, spec] : measured_divergences(spread)) {
    auto divergence = cda::divergences().make(cda::PartSpec(spec));
    auto [of_x, of_y] = projections();
    if (divergence->needs_tuning()) divergence = divergence->tuned(of_x, of_y, 0);
    divergences.emplace(name, std::move(divergence));
  }
  Times best{1e300, 1e300, {}};
  for (const auto& [name, divergence] : divergences) best.evaluations[name] = 1e300;
  const auto keep = [](double& least, double taken) { least = std::min(least, taken); };
  double kept = 0.0;
  for (int round = 0; round < rounds; ++round) {
    keep(best.passes, seconds([&] { kept += passes(x_rows, u, executor)(0) + passes(y_rows, v, executor)(0); }));
    keep(best.gram, seconds([&] { kept += gram(x_rows, executor)(0) + gram(y_rows, executor)(0); }));
    for (const auto& [name, divergence] : divergences) {
      auto [of_x, of_y] = projections();
      keep(best.evaluations[name], seconds([&] { kept += divergence->evaluate(of_x, of_y, true); }));
    }
  }
  if (kept == 0.123) std::puts("");  // the work may not be left out
  return best;
}

// Largest memory of a process that does nothing else, in bytes.
double peak_memory(const std::function<void()>& work) {
  const pid_t child = fork();
  if (child == 0) {
    try {
      work();
    } catch (...) {
      _exit(1);
    }
    _exit(0);
  }
  rusage usage{};
  int status = 0;
  wait4(child, &status, 0, &usage);
  return status == 0 ? 1024.0 * static_cast<double>(usage.ru_maxrss) : std::numeric_limits<double>::quiet_NaN();
}

// Everything at one size and number of threads.
Json measured(const Matrix& x, const Matrix& y, int threads, int rounds) {
  const Times times = timed(x, y, threads, rounds);
  Json evaluations = Json::object();
  for (const auto& [name, taken] : times.evaluations) evaluations[name] = taken / times.passes;
  return {{"rows", x.rows()},
          {"threads", threads},
          {"seconds_of_two_passes", times.passes},
          {"seconds_of_gram", times.gram},
          {"evaluation_in_passes", evaluations}};
}

// The least of several rounds, by the clock and by the processor, which a busy machine disturbs less.
struct Taken {
  double wall = 1e300, processor = 1e300;

  void keep(const std::function<void()>& work) {
    const std::clock_t before = std::clock();
    wall = std::min(wall, seconds(work));
    processor = std::min(processor, static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC);
  }
};

Json fit_of_moments(const Matrix& x, const Matrix& y, int threads, int rounds) {
  const cda::Table x_table = cda::make_table(x), y_table = cda::make_table(y);
  const Executor executor(threads);
  double kept = 0.0;
  Taken fit, pass;
  for (int round = 0; round < rounds; ++round) {
    pass.keep([&] { kept += gram(x, executor)(0) + gram(y, executor)(0); });
    fit.keep([&] {
      const cda::FitOptions options{.method = "CDA_M", .components = 1, .threads = threads};
      kept += cda::fit(x_table, y_table, options).pairs.front().objective;
    });
  }
  return {{"seconds", fit.wall},
          {"in_gram_passes", fit.wall / pass.wall},
          {"in_gram_passes_of_processor_time", fit.processor / pass.processor},
          {"checksum", kept}};
}

Json memory(const Request& request) {
  const double data = 16.0 * static_cast<double>(request.rows) * static_cast<double>(request.columns);
  Json result = Json::object();
  for (const char* method : {"CDA_M", "CDA_Q", "iCDA"}) {
    const double peak = peak_memory([&] {
      cda::Table x = cda::make_table(made(request.rows, request.columns, "x"));
      cda::Table y = cda::make_table(made(request.rows, request.columns, "y"));
      cda::fit(std::move(x), std::move(y), {.method = method, .components = 1, .threads = 2});
    });
    result[method] = peak / data;
  }
  return result;
}

void print(const Json& results, const Json& earlier) {
  const auto before = [&](const Json::json_pointer& place) -> std::string {
    if (earlier.is_null() || !earlier.contains(place)) return {};
    char text[32];
    std::snprintf(text, sizeof text, "  (%.2f before)", earlier.at(place).get<double>());
    return text;
  };
  const auto line = [&](const std::string& name, const std::string& place) {
    const Json::json_pointer pointer(place);
    std::printf("  %-36s %8.2f%s\n", name.c_str(), results.at(pointer).get<double>(), before(pointer).c_str());
  };
  const auto escaped = [](std::string name) {
    for (std::size_t at = 0; (at = name.find('/', at)) != std::string::npos; at += 2) name.replace(at, 1, "~1");
    return name;
  };
  std::printf("n = k = %ld, m = l = %ld\n", results["rows"].get<long>(), results["columns"].get<long>());
  std::puts("value and gradient, in units of two passes over both tables, 2 threads");
  for (const auto& [name, ratio] : results["two_threads"]["evaluation_in_passes"].items())
    line(name, "/two_threads/evaluation_in_passes/" + escaped(name));
  std::puts("the same on 1 thread");
  for (const auto& [name, ratio] : results["one_thread"]["evaluation_in_passes"].items())
    line(name, "/one_thread/evaluation_in_passes/" + escaped(name));
  std::puts("gain from the second thread, as a share of what the passes gain");
  for (const auto& [name, ratio] : results["thread_gain"].items()) line(name, "/thread_gain/" + escaped(name));
  std::puts("time at n over time at n/2, 2 threads");
  for (const auto& [name, ratio] : results["growth"].items()) line(name, "/growth/" + escaped(name));
  std::puts("time at n over time at n/4, 2 threads");
  for (const auto& [name, ratio] : results["growth_from_quarter"].items())
    line(name, "/growth_from_quarter/" + escaped(name));
  std::puts("whole fits");
  line("CDA_M in passes forming X'X, Y'Y", "/mallows_fit/in_gram_passes");
  line("the same by processor time", "/mallows_fit/in_gram_passes_of_processor_time");
  std::puts("peak memory of a process that fits, in sizes of the data");
  for (const auto& [name, ratio] : results["memory_in_data"].items()) line(name, "/memory_in_data/" + name);
}

Json all_of_it(const Request& request) {
  Json results{{"rows", request.rows}, {"columns", request.columns}};
  results["memory_in_data"] = memory(request);  // first: a forked process counts what is there already
  const Matrix x = made(request.rows, request.columns, "x"), y = made(request.rows, request.columns, "y");
  results["one_thread"] = measured(x, y, 1, request.rounds);
  results["two_threads"] = measured(x, y, 2, request.rounds);
  for (const auto& [name, part] : {std::pair{"half", 2}, {"quarter", 4}})
    results[name] = measured(x.topRows(request.rows / part), y.topRows(request.rows / part), 2, request.rounds);
  results["mallows_fit"] = fit_of_moments(x, y, 2, std::min(3, request.rounds));
  const auto taken = [&](const char* run, const std::string& name) {
    return results[run]["evaluation_in_passes"][name].get<double>() *
           results[run]["seconds_of_two_passes"].get<double>();
  };
  const double passes_gain = results["one_thread"]["seconds_of_two_passes"].get<double>() /
                             results["two_threads"]["seconds_of_two_passes"].get<double>();
  Json gain = Json::object(), growth = Json::object(), from_quarter = Json::object();
  for (const auto& [name, ratio] : results["two_threads"]["evaluation_in_passes"].items()) {
    gain[name] = taken("one_thread", name) / taken("two_threads", name) / passes_gain;
    growth[name] = taken("two_threads", name) / taken("half", name);
    from_quarter[name] = taken("two_threads", name) / taken("quarter", name);
  }
  results["thread_gain"] = gain;
  results["growth"] = growth;
  results["growth_from_quarter"] = from_quarter;
  return results;
}

Request parsed(int count, char** arguments) {
  Request request;
  for (int i = 1; i + 1 < count; i += 2) {
    const std::string option = arguments[i], value = arguments[i + 1];
    if (option == "--rows") {
      request.rows = std::stol(value);
    } else if (option == "--columns") {
      request.columns = std::stol(value);
    } else if (option == "--rounds") {
      request.rounds = std::stoi(value);
    } else if (option == "-o") {
      request.output = value;
    } else if (option == "--only") {
      if (value != "mallows_fit") throw cda::Error(cda::Fault::usage, "option", "--only knows mallows_fit");
      request.only = value;
    } else if (option == "--compare") {
      request.earlier = value;
    } else {
      throw cda::Error(cda::Fault::usage, "option", "unknown option " + option);
    }
  }
  return request;
}

}  // namespace

int main(int count, char** arguments) {
  try {
    const Request request = parsed(count, arguments);
    Json earlier;
    if (!request.earlier.empty()) earlier = Json::parse(std::ifstream(request.earlier));
    Json results;
    if (request.only.empty()) {
      results = all_of_it(request);
      print(results, earlier);
    } else {
      const Matrix x = made(request.rows, request.columns, "x"), y = made(request.rows, request.columns, "y");
      results["mallows_fit"] = fit_of_moments(x, y, 2, request.rounds);
      std::puts(results.dump(2).c_str());
    }
    if (!request.output.empty()) cda::write_file(request.output, results.dump(2) + "\n");
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "scale: %s\n", problem.what());
    return 1;
  }
}
