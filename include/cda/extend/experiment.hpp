// Studies that measure the method on data whose truth is known. Each is one file in studies/parts, chosen by name
// like any other part, and anyone can repeat it with `cda experiment NAME`: the same seed gives the same results on any
// number of threads.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "cda/extend/catalogue.hpp"
#include "cda/types.hpp"

namespace cda {

// Where the finished replicates of a study are kept while it runs, so that it can go on where it was interrupted. A
// replicate draws from streams of its own: it is the same whenever it is run. Any thread may call.
class KeptReplicates {
 public:
  virtual ~KeptReplicates() = default;
  virtual std::optional<std::string> find(const std::string& replicate) const = 0;
  virtual void keep(const std::string& replicate, const std::string& result) = 0;
  virtual Index count() const = 0;
};

struct ExperimentOptions {
  enum class Effort { quick, usual, full };
  Effort effort = Effort::usual;   // how many replicates, and which sizes
  std::optional<Index> runs = {};  // replicates of each row, instead of the effort's number
  std::uint64_t seed = 0;
  int threads = 0;                            // 0: as many as this process may use; the result does not depend on it
  std::shared_ptr<KeptReplicates> kept = {};  // none: an interrupted study begins anew

  template <class T>
  T by_effort(T quick, T usual, T full) const {
    return effort == Effort::quick ? quick : effort == Effort::full ? full : usual;
  }
  // Of a row: as many as are asked for, else by the effort.
  Index runs_or(Index quick, Index usual, Index full) const { return runs.value_or(by_effort(quick, usual, full)); }
};
using Effort = ExperimentOptions::Effort;

// `count` of `of` cases.
struct Share {
  Index count = 0, of = 0;

  void add(bool counts) { *this += {counts ? 1 : 0, 1}; }
  Share& operator+=(const Share& other) {
    count += other.count;
    of += other.of;
    return *this;
  }
  std::optional<double> value() const;         // none where there is no case
  std::pair<double, double> interval() const;  // 95 %, Wilson (1927); 0 and 1 where there is no case
};

// Nothing, words, a whole number, a number or a share.
using Cell = std::variant<std::monostate, std::string, Index, double, Share>;

// As people read it: a share with its interval, a dash where there is nothing.
std::string shown_cell(const Cell& cell, int decimals);

struct ResultColumn {
  std::string name;     // also the key in JSON
  std::string summary;  // what it holds, or empty where the name says it
  int decimals = 2;
};

// Which columns of the rows make a picture.
struct ResultPlot {
  std::string title;
  std::string label;                     // who is compared: a line, or a curve where there is something to go along
  std::string value;                     // what is drawn: numbers, or shares with their interval
  std::string spread = {};               // its standard deviation
  std::string reference = {};            // what chance gives
  std::string along = {};                // numbers to draw against
  std::vector<std::string> panels = {};  // one for each different content of these columns
  std::string low = {}, high = {};       // ends of its range, where it has neither interval nor standard deviation
  std::string against = {};              // a second one who is compared in the same row,
  std::string against_value = {};        // and what is drawn of that one, below the first
  std::optional<double> standard = {};   // one number to hold all rows against, where there is no reference,
  std::string standard_words = {};       // and what it is
  bool smallest = false;                 // of each who is compared only the row with the smallest value, in that order
};

struct Results {
  std::string experiment, title;
  std::vector<ResultColumn> columns;
  std::vector<std::vector<Cell>> rows;  // one cell per column
  std::vector<ResultPlot> plots = {};
  std::vector<std::string> notes;              // what was done, and what follows from the rows
  std::string listing;                         // text to copy, such as source code, or empty
  std::map<std::string, std::string> options;  // everything in force
  std::uint64_t seed = 0;
  Index runs = 0;  // replicates of a row; where rows have different numbers, the largest

  std::string to_json() const;  // rows as objects, with the columns' names as keys
};

// What is under way and the share done of the whole. Returns false to stop: an Error with code "interrupted". Called by
// one thread at a time.
using ExperimentObserver = std::function<bool(const std::string& what, double share)>;

class Experiment {
 public:
  virtual ~Experiment() = default;
  // Everything but the name, the options and the seed, which run_experiment() knows.
  virtual Results run(const ExperimentOptions& options, const ExperimentObserver& observer) const = 0;
  // Whether it is left out where all of the paper's evaluation is asked for: what sets or checks our own inference, and
  // what has no counterpart in the paper and takes long.
  virtual bool apart() const { return false; }
};

Catalogue<Experiment>& experiments();

// A study by name, with options of its own: `recovery`, `calibration:rows=300,bootstraps=0`.
Results run_experiment(const PartSpec& study, const ExperimentOptions& options = {},
                       const ExperimentObserver& observer = {});

// All but those apart, the paper's own first.
std::vector<std::string> studies_that_compare();
// Whether a file of results (to_json) is of this study with these options, by this version: it need not be run again.
// One whose data were not there is not: they may be by now.
bool holds_results(const std::string& json, const PartSpec& study, const ExperimentOptions& options);

// Replicates in a file, a line each. Those that are there already, of this study with these options, by this version,
// are found again; anything else in it is dropped. A line cut short, by whatever ended the process, is dropped too.
std::shared_ptr<KeptReplicates> replicates_in_file(const std::string& path, const PartSpec& study,
                                                   const ExperimentOptions& options);

// A page of results, with pictures (cda/report.hpp).
std::string report_html(const Results& results);

}  // namespace cda
