// Cross-domain learning as the paper measures it (its section on regression and classification): maps between X, the
// source, and Y, the target, are learnt from all their rows without labels; a rule is trained in the common space on
// the labelled rows of X and a few of Y, drawn at random; its error is that on the other rows of Y. The axis is the
// number of attributes in the common space. Runs differ in the rows of Y drawn, and methods are compared on the same
// draws.
//
// Beside them stand what needs no maps: the common columns as they are, or in units of each table; the few rows of Y
// alone, by their own columns; a constant; and, as a mark, the rows of Y with all other rows of Y labelled.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cda/files.hpp"
#include "cda/transfer.hpp"
#include "cda/experiment.hpp"

namespace cda {

struct TransferData {
  Table x, y;  // attributes only
  Vector x_targets = {}, y_targets = {};
  Prediction prediction = Prediction::numbers;
  int decimals = 3;
};

struct TransferStudy {
  const char* name;  // of the study, and with it of its random numbers
  Index train_rows;  // of Y
  std::vector<Index> sizes;
  std::vector<std::string> methods;  // those to measure; empty: all
};

// Fills columns, rows, runs and notes.
void run_transfer_study(const TransferStudy& study, const TransferData& data, const ExperimentOptions& options,
                        const ExperimentObserver& observer, Results& results);

// A study of this kind on data of its own: where they are read, what they are called, and what is added in the end.
class TransferExperiment : public Experiment {
 public:
  TransferExperiment(const char* name, std::vector<Index> sizes, const Settings& settings);
  Results run(const ExperimentOptions& options, const ExperimentObserver& observer) const final;

  // The options that these studies have in common: data, train_rows, methods.
  static std::vector<OptionInfo> options(const std::string& train_rows);

 protected:
  virtual std::string title() const = 0;
  // Nothing where a file is not there; the notes then say which.
  virtual std::optional<TransferData> data(const std::string& folder, std::vector<std::string>& notes) const = 0;
  virtual void add_rows(const TransferData& /*data*/, Results& /*results*/) const {}

 private:
  std::string folder_;
  TransferStudy study_;
};

}  // namespace cda
