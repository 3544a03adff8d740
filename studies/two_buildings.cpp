#include "studies/two_buildings.hpp"

#include "studies/real_data.hpp"

namespace cda {

std::optional<TwoBuildings> two_buildings(const std::string& folder, std::vector<std::string>& notes) {
  auto tables =
      read_data(folder,
                {{"buildings/Z_zachry_1989_90.csv", "the Great Energy Predictor Shootout, as in Proben1", {"weekend"}},
                 {"buildings/R3_robod_room3_2021.csv", "ROBOD, doi 10.1007/s12273-022-0925-9 (room 3)", {"weekend"}}},
                notes);
  if (!tables) return std::nullopt;
  TwoBuildings buildings{std::move((*tables)[0]), std::move((*tables)[1]), {}, {}};
  buildings.x_weekday = take_column(buildings.x, "weekday");
  buildings.y_weekday = take_column(buildings.y, "weekday");
  return buildings;
}

}  // namespace cda
