// Two buildings whose meters have seven columns in common: a stand-in for the paper's pair of office buildings, which
// is not public. X is the Great Energy Predictor Shootout's building (4208 hours), Y a room of ROBOD (2781 hours;
// Monday to Friday only).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cda/files.hpp"

namespace cda {

struct TwoBuildings {
  Table x, y;  // meters and the hour, without the labels
  Vector x_weekday, y_weekday;
};
// Nothing where the files are not there; the notes then say so.
std::optional<TwoBuildings> two_buildings(const std::string& folder, std::vector<std::string>& notes);

}  // namespace cda
