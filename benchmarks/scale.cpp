// What the parts cost, as ratios to work that cannot be avoided, all measured in one run. The unit is two passes over
// both tables, X u and then X'g (and Y v, Y'h), on the same threads; a fit of CDA_M is compared with one pass that
// forms X'X and Y'Y. In every round each divergence takes its turn with the passes at all sizes and numbers of threads,
// one right after the other, and ratios are the medians of those of the rounds: a machine that is busy for a while
// slows both sides of a ratio. Absolute times are kept in the file, but only the ratios can be compared between
// machines.
//
//   build/benchmarks/scale                                      n = k = 1,000,000, m = l = 50, threads 1 and 2
//   build/benchmarks/scale --rows 200000 --columns 20 -o now.json --compare before.json
//   build/benchmarks/scale --only mallows_fit                   the whole fit of CDA_M alone, by the clock and by the
//   processor
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
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
#include "cda/extend/divergence.hpp"
#include "cda/extend/executor.hpp"
#include "cda/extend/memory.hpp"
#include "cda/extend/projection.hpp"
#include "cda/extend/random.hpp"

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
  int rounds = 9;
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

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : 0.5 * (values[half - 1] + values[half]);
}

// What a divergence is measured at.
struct Setting {
  const char* name;
  Index part;  // of the rows: one in so many
  int threads;
};
constexpr Setting settings[] = {{"one_thread", 1, 1}, {"two_threads", 1, 2}, {"half", 2, 2}, {"quarter", 4, 2}};

struct Turn {
  double passes = 0.0, evaluation = 0.0;  // seconds
};

// Both tables at one setting, and the divergences tuned to them.
class Subject {
 public:
  Subject(const Matrix& x_rows, const Matrix& y_rows, int threads)
      : executor_(threads),
        x_(x_rows, executor_),
        y_(y_rows, executor_),
        u_(Vector::LinSpaced(x_.dimension(), 0.5, 1.5).normalized()),
        v_(u_.reverse()) {
    (void)y_.covariance();
    for (const auto& [name, spec] : measured_divergences(std::sqrt(x_.covariance_of(u_)(0, 0)))) {
      auto divergence = cda::divergences().make(cda::PartSpec(spec));
      Projection of_x(x_, u_, Vector::Ones(1)), of_y(y_, v_, Vector::Ones(1));
      if (divergence->needs_tuning()) divergence = divergence->tuned(of_x, of_y, 0);
      names_.push_back(name);
      divergences_.push_back(std::move(divergence));
    }
  }

  const std::vector<std::string>& names() const { return names_; }
  Turn turn(std::size_t divergence) {
    Turn taken;
    taken.passes =
        seconds([&] { checksum_ += passes(x_.rows(), u_, executor_)(0) + passes(y_.rows(), v_, executor_)(0); });
    Projection of_x(x_, u_, Vector::Ones(1)), of_y(y_, v_, Vector::Ones(1));
    taken.evaluation = seconds([&] { checksum_ += divergences_[divergence]->evaluate(of_x, of_y, true); });
    return taken;
  }
  double checksum() const { return checksum_; }  // the work may not be left out

 private:
  Executor executor_;
  Sample x_, y_;
  Vector u_, v_;
  std::vector<std::string> names_;
  std::vector<std::unique_ptr<cda::Divergence>> divergences_;
  double checksum_ = 0.0;
};

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

// Every divergence at every setting, round after round.
Json measured(const Matrix& x, const Matrix& y, int rounds) {
  std::vector<Subject> subjects;
  for (const Setting& setting : settings)
    subjects.emplace_back(x.topRows(x.rows() / setting.part), y.topRows(y.rows() / setting.part), setting.threads);
  const std::vector<std::string> names = subjects.front().names();
  constexpr std::size_t count = std::size(settings);
  std::vector<std::vector<std::array<Turn, count>>> turns(names.size());  // by divergence and round
  for (int round = 0; round < rounds; ++round)
    for (std::size_t i = 0; i < names.size(); ++i) {
      turns[i].emplace_back();
      for (std::size_t at = 0; at < count; ++at) turns[i].back()[at] = subjects[at].turn(i);
    }
  const auto middle = [](const auto& of_rounds, const auto& ratio) {
    std::vector<double> ratios;
    for (const auto& round : of_rounds) ratios.push_back(ratio(round));
    return median(ratios);
  };
  Json results = Json::object();
  std::vector<std::array<Turn, count>> all;
  for (const auto& of_rounds : turns) all.insert(all.end(), of_rounds.begin(), of_rounds.end());
  for (std::size_t at = 0; at < count; ++at) {
    Json evaluations = Json::object();
    for (std::size_t i = 0; i < names.size(); ++i)
      evaluations[names[i]] =
          middle(turns[i], [at](const auto& round) { return round[at].evaluation / round[at].passes; });
    results[settings[at].name] = {{"rows", x.rows() / settings[at].part},
                                  {"threads", settings[at].threads},
                                  {"seconds_of_two_passes", middle(all, [at](const auto& r) { return r[at].passes; })},
                                  {"checksum", subjects[at].checksum()},
                                  {"evaluation_in_passes", evaluations}};
  }
  enum : std::size_t { one, two, half, quarter };
  const auto growth = [&](std::size_t from, double Turn::*part) {
    return [from, part](const auto& round) { return round[two].*part / (round[from].*part); };
  };
  Json& gain = results["thread_gain"] = Json::object();
  for (std::size_t i = 0; i < names.size(); ++i)
    gain[names[i]] = middle(turns[i], [](const auto& round) {
      return round[one].evaluation / round[two].evaluation / (round[one].passes / round[two].passes);
    });
  for (const auto& [name, from] : {std::pair{"growth", half}, {"growth_from_quarter", quarter}}) {
    Json& grown = results[name] = Json::object();
    grown["the two passes"] = middle(all, growth(from, &Turn::passes));
    for (std::size_t i = 0; i < names.size(); ++i) grown[names[i]] = middle(turns[i], growth(from, &Turn::evaluation));
  }
  return results;
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
  Json results{{"rows", request.rows}, {"columns", request.columns}, {"rounds", request.rounds}};
  results["memory_in_data"] = memory(request);  // first: a forked process counts what is there already
  const Matrix x = made(request.rows, request.columns, "x"), y = made(request.rows, request.columns, "y");
  results.update(measured(x, y, request.rounds));
  results["mallows_fit"] = fit_of_moments(x, y, 2, std::min(3, request.rounds));
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
    cda::keep_freed_memory();  // as the command does
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
