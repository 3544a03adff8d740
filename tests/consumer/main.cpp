// Fits two small tables made in memory, maps rows, saves and loads: enough to need every part of the library.
#include <cda/cda.hpp>
#include <cda/cluster.hpp>
#include <cda/extend/random.hpp>
#include <cda/peers.hpp>
#include <iostream>

#include "cda/extend/random.hpp"
#include "cda/extend/version.hpp"

int main() {
  cda::Random random(1, "consumer");
  const cda::Table x = cda::make_table(random.normals(60, 3), {"a", "b", "c"});
  const cda::Table y = cda::make_table(random.normals(50, 2), {"d", "e"});
  const cda::Model model = cda::fit(x, y, {.method = "CDA_M", .components = 1});
  const cda::Model loaded = cda::Model::from_json(model.to_json());
  const cda::Matrix before = model.transform(cda::Side::y, y);
  const cda::Matrix after = loaded.transform(cda::Side::y, y);
  if (model.pairs.size() != 1 || before.rows() != 50 || before != after) {
    std::cerr << "the installed library does not do what the built one does\n";
    return 1;
  }
  const std::size_t before_peers = cda::methods().size();
  cda::add_peers();
  const cda::Model compared = cda::fit(x, y, {.method = "PCA", .components = 1});
  const auto candidates = cda::find_clusters(x, {.radius = 0.2});
  if (cda::methods().size() != before_peers + 7 || compared.method != "PCA" || candidates.values.rows() != 60) {
    std::cerr << "the methods to compare with and the clusters are not what they are in the build\n";
    return 1;
  }
  std::cout << "cda " << cda::version() << ": divergence " << model.pairs[0].divergence << '\n';
}
