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

#include "cda/extend/experiment.hpp"
#include "cda/files.hpp"
#include "cda/transfer.hpp"

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

// A study of this kind on data of its own.
struct TransferDesign {
  const char *name, *summary, *title, *train_rows;
  std::vector<Index> sizes;
  // Nothing where a file is not there; the notes then say which.
  std::optional<TransferData> (*data)(const std::string& folder, std::vector<std::string>& notes);
  void (*add_rows)(const TransferData& data, Results& results) = nullptr;  // in the end
};
Catalogue<Experiment>::Entry transfer_experiment(const TransferDesign& design);

}  // namespace cda
