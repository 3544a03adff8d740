// cCDA: the two clouds of rows laid on each other as wholes, by coupling every row softly with rows of the other table
// (find/clouds/ascent.hpp, find/clouds/couple.hpp). It enters by the door of the methods that are not made of parts,
// for it compares no projections and has no gradient; the maps it leaves are linear like any other's.
#include <fmt/format.h>

#include <limits>

#include "base/part.hpp"
#include "cda/error.hpp"
#include "cda/extend/baseline.hpp"
#include "find/clouds/couple.hpp"

using namespace cda;

namespace {

class Ccda final : public Baseline {
 public:
  explicit Ccda(const Settings& settings)
      : cloud_{.most = settings.count("dimensions", 1, 1000), .emphasis = settings.number("emphasis", 0.0, 4.0)} {
    options_.leading = settings.count("leading", 1, 8);
    options_.searched = settings.count("rows", 2, 20000);
    options_.judging = settings.count("judging", 2, 20000);
    options_.subsamples = settings.count("subsamples", 1, 1000);
    options_.tie = settings.number("tie", 1e-6, 10.0);
    options_.polish = static_cast<int>(settings.count("polish", 1, 1000));
    options_.choice = settings.count("choice", 1, 1000);
    options_.ascent.iterations = static_cast<int>(settings.count("iterations", 1, 1000));
    options_.ascent.transport.blur = settings.number("blur", 0.001, 10.0);
    options_.ascent.transport.turns = static_cast<int>(settings.count("turns", 1, 10000));
    if (const double reach = settings.number("reach", 0.0, 1e6); reach > 0.0) options_.ascent.transport.reach = reach;
  }

  BaselineMaps fit(const BaselineTask& task) const override {
    CloudOptions cloud = cloud_;
    cloud.most = std::max(cloud.most, task.components);
    const PointCloud x = point_cloud(task.x, cloud, task.executor), y = point_cloud(task.y, cloud, task.executor);
    CoupleOptions options = options_;
    options.seed = task.seed;
    const Coupled found = couple(x, y, options, task.executor, [&](double share) {
      task.advance(share);
      return task.enough().empty();
    });
    const AlignedAxes axes = aligned_axes(x, y, found.moment, task.components);
    if (axes.x.cols() < task.components)
      throw Error(Fault::numerical, "data.rank", "a table varies in fewer dimensions than pairs are asked for");
    BaselineMaps maps{.directions = {x.axes * axes.x, y.axes * axes.y, Vector::Ones(task.components)},
                      .figures = found.coupling.chosen.correlation * axes.strengths};
    maps.converged = found.finished;
    maps.stopped = found.finished ? "the alignment no longer changes, or was followed long enough" : task.enough();
    maps.iterations = found.iterations;
    maps.coupling = found.coupling;
    maps.warnings = remarks(found);
    return maps;
  }

  std::string figure_name() const override { return "matrix correlation of the coupled rows, this pair's part"; }
  std::string spelling() const override { return "cCDA"; }
  bool compared() const override { return false; }
  bool joint() const override { return true; }
  Index usual_components() const override { return 5; }
  std::vector<PartSpec> preparation() const override { return {}; }

 private:
  std::vector<std::string> remarks(const Coupled& found) const {
    std::vector<std::string> all;
    if (found.coupling.ambiguous)
      all.push_back(
          fmt::format("ambiguous: {} other {} of laying the tables on each other come close; --method "
                      "cCDA:choice=2 takes the next",
                      found.coupling.alternatives.size(), found.coupling.alternatives.size() == 1 ? "way" : "ways"));
    return all;
  }

  CloudOptions cloud_;
  CoupleOptions options_;
};

}  // namespace

CDA_PART(Baseline, ccda) {
  return {
      .info = {.name = {},
               .summary = "both clouds of rows laid on each other as wholes, by coupling rows (our own)",
               .reference = "our own; inner-product Gromov-Wasserstein (Memoli 2011; Peyre, Cuturi and Solomon "
                            "2016) read as a matrix correlation (Robert and Escoufier 1976)",
               .options = {{"dimensions", "20", "principal components of each table, at most"},
                           {"emphasis", "0.5", "how much wide components count: variances to this power"},
                           {"blur", "0.1", "of the coupling of rows, in units of their similarities"},
                           {"rows", "300", "of each table in a subsample that is searched"},
                           {"judging", "1000", "rows of each table in a subsample that judges"},
                           {"subsamples", "6", "that are searched: one of each half of the rows, the others of all"},
                           {"polish", "6", "turns on the rows that judge"},
                           {"tie", "0.01", "relative difference in correlation at which an optimum counts 1/e"},
                           {"leading", "3", "components whose signs are tried"},
                           {"iterations", "8", "turns per start, at most"},
                           {"turns", "100", "of bringing the sums of rows and columns right, at most"},
                           {"reach", "0", "0: all rows have counterparts; else what it costs to have none, e.g. 0.3"},
                           {"choice", "1", "1: the consensus; 2: the best single alignment; 3: the next, and so on"}}},
      .make = [](const Settings& settings) { return std::make_unique<Ccda>(settings); }};
}
