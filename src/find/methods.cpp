// The methods as presets of parts: our own first, then those of the paper; then the ones they are compared with.
// `parts` is what we recommend, `published` the paper to the letter; they differ where the printed version cannot work
// (docs/method.md tells why):
//   - norms: |U'U - I|^2 instead of the reconstruction cost, whose minimum with the paper's weights is zero
//   - bandwidth: the median distance of projected values instead of that of full rows, which smooths everything away
//   - quadratic: the exact integral, which cannot be negative, instead of the resubstitution estimate
//   - pearson: a constant among the basis functions and the regularised maximum, which cannot be negative
//   - CDA_M: its global optimum, instead of a descent
#include <fmt/format.h>

#include <cctype>

#include "cda/extend/baseline.hpp"
#include "cda/fit.hpp"

namespace cda {
namespace {

MethodInfo preset(const char* name, const char* summary, const char* divergence, const char* published_divergence,
                  const char* formulation, const char* published_formulation, const char* optimiser,
                  const char* published_optimiser) {
  return {name,
          summary,
          {{"minmax"}, divergence, formulation, optimiser, "lemma"},
          {{"minmax"}, published_divergence, published_formulation, published_optimiser, "lemma"}};
}

std::string capitals(std::string name) {
  for (char& letter : name) letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  return name;
}

// By the catalogue as it is now: parts may be added to it at any time.
std::vector<MethodInfo> with_baselines(std::vector<MethodInfo> all) {
  for (const PartInfo& part : baselines().list()) {
    const auto made = baselines().make(part.name);
    MethodParts parts;
    parts.prepare = made->preparation();
    const std::string name = made->spelling().empty() ? capitals(part.name) : made->spelling();
    // Our own methods come first, beside the default one.
    all.insert(made->compared() ? all.end() : all.begin() + 1,
               {name, part.summary, parts, parts, part.name, made->compared()});
  }
  return all;
}

}  // namespace

std::vector<MethodInfo> methods() {
  static const char* const mallows = "extended_mallows";
  static const char* const paper_quadratic = "quadratic:estimator=paper,bandwidth=paper";
  static const char* const paper_pearson = "pearson:estimate=paper,constant=no,combine=sum,bandwidth=paper,centres=200";
  static const char* const natural = "natural_gradient";
  static const char* const paper_natural = "natural_gradient:step=nelder_mead";
  static const char* const paper_cost = "reconstruction:cost=paper";
  static const MethodParts informative{{"whiten:rows=5"}, "wasserstein", "contrast", "lbfgs", "1"};
  static const std::vector<MethodInfo> presets = {
      {"iCDA", "each table's own shapes that differ from a bell curve, matched with the other table's (our own)",
       informative, informative},
      preset("CDA_M", "pairs in turn, unit norm, extended Mallows distance, solved to its global optimum", mallows,
             mallows, "iterative", "iterative", "exact", paper_natural),
      preset("CDA_Q", "pairs in turn, unit norm, integrated squared difference of densities", "quadratic",
             paper_quadratic, "iterative", "iterative", natural, paper_natural),
      preset("CDA_P", "pairs in turn, unit norm, relative Pearson divergence", "pearson", paper_pearson, "iterative",
             "iterative", natural, paper_natural),
      preset("rCDA_M", "pairs in turn, norm as a cost, extended Mallows distance", mallows, mallows, "reconstruction",
             paper_cost, "lbfgs", "lbfgs"),
      preset("rCDA_Q", "pairs in turn, norm as a cost, integrated squared difference of densities", "quadratic",
             paper_quadratic, "reconstruction", paper_cost, "lbfgs", "lbfgs"),
      preset("rCDA_P", "pairs in turn, norm as a cost, relative Pearson divergence", "pearson", paper_pearson,
             "reconstruction", paper_cost, "lbfgs", "lbfgs"),
      preset("mCDA_P", "all pairs at once, orthonormal, relative Pearson divergence", "pearson", paper_pearson,
             "multi_dimensional", "multi_dimensional", natural, paper_natural),
      preset("mrCDA_P", "all pairs at once, orthonormality as a cost, relative Pearson divergence", "pearson",
             paper_pearson, "multi_dimensional_reconstruction", "multi_dimensional_reconstruction:cost=paper", "lbfgs",
             "lbfgs"),
  };
  return with_baselines(presets);
}

MethodInfo find_method(const std::string& name) {
  const std::string plain = name.substr(0, name.find(':'));
  std::vector<std::string> known;
  for (const MethodInfo& method : methods()) {
    if (same_name(method.name, plain)) return method;
    known.push_back(method.name);
  }
  unknown_name("method", plain, known);
}

std::string complete_method(const std::string& name) {
  const MethodInfo method = find_method(name);
  const PartSpec asked(name);
  if (!method.baseline.empty()) {
    PartSpec whole;
    whole.settings = baselines().complete(asked).settings;
    whole.name = method.name;
    return whole.to_string();
  }
  if (!asked.settings.values().empty())
    throw Error(Fault::usage, "option.method", fmt::format("{} is made of parts, which have the options", method.name),
                fmt::format("cda list methods -v shows the parts of {}", method.name));
  return method.name;
}

}  // namespace cda
