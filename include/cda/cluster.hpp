// Clusters in subsets of columns, and few of them: rows that lie densely together when one looks at some columns only,
// kept so that none repeats what others say already.
//
// Two steps. find_clusters() lists candidates: all dense regions in all subsets of columns, by SUBCLU's fixed density
// or by the adaptive one of DUSC and INSCY. select_clusters() keeps a few of them after RESCU: again and again the one
// with the largest potential, rows not yet covered divided by its cost. Where asked, the distance from the clusters
// already kept, by a fit of CDA to the rows and columns of the two, enters the potential (docs/cluster.md).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cda/extend/catalogue.hpp"
#include "cda/table.hpp"
#include "cda/types.hpp"

namespace cda {

// ---- Candidates ----

// adaptive: as many neighbours as uniform rows would have, times a factor, whatever the number of columns.
// subclu: so many neighbours, the same in every subspace (DBSCAN).
enum class DensityRule { adaptive, subclu };
DensityRule density_rule(const std::string& name);
std::string to_string(DensityRule rule);

struct CandidateOptions {
  DensityRule rule = DensityRule::adaptive;
  bool scaled = true;          // columns brought to [0, 1]; false: as they are, which subclu alone can take
  double radius = 0.1;         // eps: rows at most so far apart are neighbours
  double density_factor = 10;  // F, adaptive: a core has so many times the density of uniform rows
  double least_density = 8;    // tau, adaptive: and at least so many neighbours, weighted (times 2/(s+2) in s columns)
  Index min_points = 8;        // subclu: a core has so many rows within the radius, itself included
  Index min_size = 0;          // rows of a cluster; 0: 8, or 1/64 of all rows if that is more; of subclu: 1
  double redundancy = -1.0;    // R: left out where a subspace of one more column holds this share of its rows; above
                               // 1: never; negative: 0.5 where there are more than 12 columns, else never
  Index max_columns = 0;       // of a subspace; 0: all
  Index max_candidates = 500'000;   // where there are more, only subspaces of fewer columns are searched
  Index max_subspaces = 2'000'000;  // looked into: the same
  int threads = 0;                  // 0: as many as this process may use; the result does not depend on it
};

struct SubspaceCluster {
  std::vector<Index> columns;  // of the table, increasing
  std::vector<Index> rows;     // increasing
  double density = 0.0;        // of its cores, in multiples of what uniform rows would have
};

struct ClusterCandidates {
  std::vector<SubspaceCluster> clusters;  // by number of columns, columns, rows
  Matrix values;                          // as they were compared: n x all columns; those that do not vary are 0
  std::vector<Index> varying;             // columns that were searched
  Index subspaces = 0;                    // looked into
  Index redundant = 0;                    // left out by the rule of redundancy
  Index max_columns = 0;                  // no subspace of more was searched
  Index min_size = 0;                     // in force
  std::vector<std::string> warnings;
};

// What is under way and the share of it done. Called by one thread at a time. Return false to stop: an Error with code
// "interrupted".
using ClusterObserver = std::function<bool(const std::string& what, double share)>;

ClusterCandidates find_clusters(const Table& table, const CandidateOptions& options = {},
                                const ClusterObserver& observer = {});

// ---- Selection ----

// With g the rows that a candidate adds, c its cost, and d_1 ... d_k its distances from those kept:
// plain:    g / c
// paper:    g / (c (d_1 + ... + d_k)), as printed, which prefers what resembles the clusters kept
// repaired: g m / c, m the mean of 1 - exp(-d_i / median), which prefers what differs from them
enum class Selection { plain, paper, repaired };
Selection selection_rule(const std::string& name);
std::string to_string(Selection selection);

// density_columns: 1 / (density * columns). size: 1 / (density * columns * rows). columns: 1 / columns. constant: 1.
enum class ClusterCost { density_columns, size, columns, constant };
ClusterCost cluster_cost(const std::string& name);
std::string to_string(ClusterCost cost);

// A distance from another cluster: the mean objective of the pairs that a method of CDA finds between the rows of both,
// each in its own columns.
struct ClusterDistanceOptions {
  std::string method = "rCDA_M";
  std::optional<PartSpec> divergence = {};  // instead of the method's own
  bool as_published = false;
  Index rows = 500;  // of a cluster, at most
  // Of each fit. Clusters have few columns, and a fit is one of thousands.
  int starts = 10, refined = 2;
};

struct SelectionOptions {
  Selection selection = Selection::plain;
  ClusterCost cost = ClusterCost::density_columns;
  double least_gain = 0.3;  // Delta: what adds less than this share of its own rows is redundant
  Index most = 0;           // clusters; 0: until nothing is left that is not redundant
  Index looked_at = 50;     // in each round, distances are computed for the best so many by the plain potential
  ClusterDistanceOptions distance = {};
  // Where given, instead of CDA's: the distance of a candidate from one that was kept. Called by several threads.
  std::function<double(Index candidate, Index kept)> measured = {};
  std::uint64_t seed = 0;
  int threads = 0;
};

struct KeptCluster {
  Index candidate = 0;  // which one
  SubspaceCluster cluster;
  Index gain = 0;  // rows that no earlier one covers
  double cost = 0.0;
  double potential = 0.0;
  std::optional<double> distance;  // mean over those kept before, where distances play a part and there are some
  std::string why;                 // in words
};

std::vector<KeptCluster> select_clusters(const ClusterCandidates& candidates, const SelectionOptions& options = {},
                                         const ClusterObserver& observer = {});

// The distance itself; finite for any two clusters.
double cluster_distance(const ClusterCandidates& candidates, const SubspaceCluster& a, const SubspaceCluster& b,
                        const ClusterDistanceOptions& options = {}, std::uint64_t seed = 0);

// ---- Scores ----

// Against classes, one number from 0 for each row; negative: none. Rows without a class are in no class, but count as
// rows of their clusters.
struct ClusterScores {
  double f1 = 0.0;           // as OpenSubspace computes it
  double entropy = 0.0;      // 1: every cluster has rows of one class
  double coverage = 0.0;     // share of rows in some cluster
  double baseline_f1 = 0.0;  // of one cluster that holds all rows
  // The same clusters where classes are dealt to the rows at random.
  double null_f1 = 0.0, null_f1_sd = 0.0, null_entropy = 0.0;
  double p_f1 = 1.0;  // share of those, and of this one, with an F1 at least as large
};
double cluster_f1(const std::vector<std::vector<Index>>& clusters, const std::vector<Index>& classes);
double cluster_coverage(const std::vector<std::vector<Index>>& clusters, Index rows);
double cluster_entropy(const std::vector<std::vector<Index>>& clusters, const std::vector<Index>& classes);
ClusterScores score_clusters(const std::vector<std::vector<Index>>& clusters, const std::vector<Index>& classes,
                             Index permutations = 199, std::uint64_t seed = 0);

// Against clusters whose columns and rows are known (Patrikainen and Meila 2006), both from 0 to 1, 1: the same.
struct SubspaceScores {
  double rnia = 0.0;  // cells of the known clusters that are in found ones, over all cells of either
  double ce = 0.0;    // the same where each known cluster may count for one found one only
};
SubspaceScores compare_clusters(const std::vector<SubspaceCluster>& found, const std::vector<SubspaceCluster>& known,
                                Index rows, Index columns);
// OpenSubspace's file of known clusters: a line of words, then for each a 0 or 1 for each column, the number of rows,
// and the rows, from 0. `source` names the file in errors.
std::vector<SubspaceCluster> known_clusters(const std::string& text, Index rows, Index columns,
                                            const std::string& source);

// Rows of each, as the scores take them.
std::vector<std::vector<Index>> rows_of(const std::vector<KeptCluster>& kept);

// ---- All of it ----

struct ClusterOptions {
  CandidateOptions candidates = {};
  SelectionOptions selection = {};
  bool compare = true;       // with the other selections
  Index permutations = 199;  // of the classes
};

// What one selection comes to, also at the number of clusters that all of them have.
struct SelectionSummary {
  Selection selection = Selection::plain;
  Index clusters = 0;
  double coverage = 0.0, columns = 0.0;  // columns: mean number
  std::optional<ClusterScores> scores;   // where there are classes
  Index common = 0;                      // the smallest number of clusters of all selections: of the first so many
  double common_coverage = 0.0;
  std::optional<double> common_f1;
};

struct Clustering {
  ClusterCandidates candidates;
  std::vector<KeptCluster> kept;
  double coverage = 0.0;
  std::optional<ClusterScores> scores;       // where there are classes
  std::vector<SelectionSummary> selections;  // the one asked for, or all of them
};

// `classes` as of score_clusters(), or empty.
Clustering cluster(const Table& table, const std::vector<Index>& classes = {}, const ClusterOptions& options = {},
                   const ClusterObserver& observer = {});

// ---- A page that shows them (cda/report.hpp) ----

// What they were found in.
struct ClusteredTable {
  std::string name;                                               // of the table, for people
  std::vector<std::string> columns;                               // names
  std::string command;                                            // that does it again
  std::vector<std::pair<std::string, std::string>> options = {};  // everything in force
  std::vector<std::string> warnings = {};
  std::optional<SubspaceScores> known = {};
  std::string sha256 = {};  // of the file, where it is known
};
std::string report_html(const Clustering& clustering, const ClusteredTable& table);

}  // namespace cda
