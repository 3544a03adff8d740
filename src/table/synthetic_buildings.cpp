// Two office buildings that were fitted with different meters, by different people, in different years. Each row is an
// hour drawn at random from its year, so no row of one belongs to a row of the other, and only three names recur. What
// the two have in common is what drives any office building:
//
//   occupancy   people are in or they are not: two groups, the one of working hours wide
//   season      a year has long summers and winters and short times between: U-shaped
//   demand      hot water and kitchen, often little and now and then a lot: skewed
//
// A sensor reads offset + sum of loading times driver + noise, with drivers of mean 0 and variance 1. Hence everything
// is known in closed form: the covariance is L L' + D, and the best linear estimate of driver i from the sensors
// (L L' + D)^-1 L e_i is the truth's direction i.
#include <algorithm>
#include <cmath>

#include "base/linear_algebra.hpp"
#include "table/synthetic_kinds.hpp"

namespace cda {
namespace {

constexpr Index drivers = 3;
constexpr const char* driver_names[drivers] = {"occupancy (two groups)", "season (U-shaped)", "demand (skewed)"};

struct Sensor {
  const char* name;
  double offset;
  double occupancy, season, demand;  // loadings
  double noise;                      // standard deviation
  int decimals;                      // what the meter shows
};

constexpr Sensor town_hall[building_x_columns] = {
    {"electricity_kWh", 180, 60, 6, 12, 10, 1},   {"lighting_kWh", 26, 12, -3, 0, 2, 2},
    {"water_m3", 3.2, 0.9, 0, 1.0, 0.15, 3},      {"heating_kWh", 250, -12, -105, 0, 12, 1},
    {"staff_present", 68, 50, 0, 0, 3, 1},        {"occupancy_percent", 32.04, 28.74, 0, 0, 1, 1},
    {"outdoor_temperature_C", 10, 0, 9, 0, 2, 2}, {"cooling_kWh", 80, 5, 34, 0, 4, 2},
    {"hot_water_litres", 300, 20, 0, 130, 15, 1},
};
constexpr Sensor laboratory[building_y_columns] = {
    {"co2_ppm", 640, 160, -25, 0, 20, 1},      {"indoor_temperature_C", 21.8, 0.5, 1.1, 0, 0.3, 3},
    {"heating_kWh", 150, -9, -62, 0, 7, 2},    {"electricity_kWh", 95, 30, 0, 6, 5, 2},
    {"humidity_percent", 44, 0, 6, 3, 1.5, 2}, {"ventilation_m3_per_h", 5200, 2300, 0, 0, 180, 0},
    {"water_litres", 650, 110, 0, 240, 30, 1},
};

// Near normal but bounded: the sum of three uniforms, standardised, lies within -+ 3.
double bounded_normal(Random& random) { return 2.0 * (random.uniform() + random.uniform() + random.uniform() - 1.5); }

// A share of the desks: 10 % +- 2 when closed (62 % of the hours), 68 % +- 9 when open.
double draw_occupancy(Random& random) {
  constexpr double open = 0.38, low = 0.10, high = 0.68, low_spread = 0.02, high_spread = 0.09;
  constexpr double mean = (1 - open) * low + open * high;
  constexpr double variance = open * (1 - open) * (high - low) * (high - low) + (1 - open) * low_spread * low_spread +
                              open * high_spread * high_spread;
  const bool is_open = random.uniform() < open;
  const double share = (is_open ? high : low) + (is_open ? high_spread : low_spread) * bounded_normal(random);
  return (share - mean) / std::sqrt(variance);
}

double draw_demand(Random& random) { return (random.gamma(2.0) - 2.0) / std::sqrt(2.0); }

Matrix draw_drivers(const Random& random, Index rows) {
  Random occupancy = random.stream("occupancy"), season = random.stream("season"), demand = random.stream("demand");
  Matrix values(rows, drivers);
  for (Index i = 0; i < rows; ++i)
    values.row(i) << draw_occupancy(occupancy), draw_shape("u-shaped", season), draw_demand(demand);
  return values;
}

double rounded(double value, int decimals) {
  const double unit = std::pow(10.0, decimals);
  return std::round(value * unit) / unit;
}

struct Building {
  Table table;
  Matrix drivers, directions, shares;  // shares: of each sensor's variance, by driver
};

template <std::size_t Count>
Building build(const Sensor (&sensors)[Count], const Random& random, Index rows, double noise_scale) {
  constexpr auto columns = static_cast<Index>(Count);
  Building building;
  building.drivers = draw_drivers(random.stream("drivers"), rows);
  Matrix loadings(columns, drivers), values(rows, columns);
  Vector noise(columns);
  std::vector<std::string> names;
  for (Index j = 0; j < columns; ++j) {
    const Sensor& sensor = sensors[j];
    names.emplace_back(sensor.name);
    loadings.row(j) << sensor.occupancy, sensor.season, sensor.demand;
    noise(j) = sensor.noise * noise_scale;
    Random errors = random.stream(sensor.name);
    for (Index i = 0; i < rows; ++i) {
      const double reading = sensor.offset + loadings.row(j).dot(building.drivers.row(i)) + noise(j) * errors.normal();
      values(i, j) = rounded(reading, sensor.decimals);
    }
  }
  building.table = make_table(std::move(values), std::move(names));

  // Solved in standardised units: the sensors' own differ by a factor of thousands.
  Matrix covariance = loadings * loadings.transpose();
  covariance.diagonal() += noise.cwiseAbs2();
  const Vector deviation = covariance.diagonal().cwiseSqrt();
  const Vector unit = deviation.cwiseInverse();
  const Matrix scaled = unit.asDiagonal() * loadings;
  const Matrix correlation = unit.asDiagonal() * covariance * unit.asDiagonal();
  const Matrix weights = symmetric_solve(correlation, scaled);
  building.directions = (unit.asDiagonal() * weights).colwise().normalized();
  building.shares = scaled.cwiseAbs2();
  return building;
}

// The sensors that owe at least a quarter of their variance to the driver, the strongest first.
std::string followers(const Building& building, Index driver) {
  std::vector<Index> columns;
  for (Index j = 0; j < building.table.columns(); ++j)
    if (building.shares(j, driver) >= 0.25) columns.push_back(j);
  std::stable_sort(columns.begin(), columns.end(),
                   [&](Index a, Index b) { return building.shares(a, driver) > building.shares(b, driver); });
  std::string list;
  for (const Index j : columns) list += (list.empty() ? "" : ", ") + building.table.names[static_cast<std::size_t>(j)];
  return list;
}

}  // namespace

Planted buildings(const SyntheticOptions& options) {
  const Random random(options.seed, "buildings");
  const double noise_scale = std::sqrt(options.noise / 0.5);
  Building x = build(town_hall, random.stream("town hall"), options.n, noise_scale);
  Building y = build(laboratory, random.stream("laboratory"), options.k, noise_scale);
  Planted planted;
  Truth& truth = planted.pair.truth;
  for (Index driver = 0; driver < drivers; ++driver) {
    truth.sources.emplace_back(driver_names[driver]);
    truth.pairs.emplace_back(followers(x, driver), followers(y, driver));
  }
  truth.x_directions = std::move(x.directions);
  truth.y_directions = std::move(y.directions);
  planted.pair.x = std::move(x.table);
  planted.pair.y = std::move(y.table);
  planted.x_sources = std::move(x.drivers);
  planted.y_sources = std::move(y.drivers);
  return planted;
}

}  // namespace cda
