// The command `cda`.
#include "program.hpp"
#include "studies.hpp"

namespace {

constexpr const char* introduction =
    "Canonical Divergence Analysis: what in one table behaves like what in another, when\n"
    "the two share neither rows nor columns.\n"
    "\n"
    "Examples:\n"
    "  cda synth buildings -o demo                          two tables to try it on\n"
    "  cda fit demo/X.csv demo/Y.csv -o model.json          find matching combinations of columns\n"
    "  cda test demo/X.csv demo/Y.csv                       how far each match can be trusted\n"
    "  cda report model.json -o page.html                   what was found, as a page to open and to mail\n"
    "  cda transform model.json --x demo/X.csv -o x.csv     rows of either table in the common space\n"
    "  cda nearest model.json --x X.csv --y Y.csv -o n.csv  the closest rows of the other table\n"
    "  cda transfer model.json --x X.csv --y Y.csv --target T   learn from X what rows of Y are like\n"
    "  cda score model.json --x X.csv --y Y.csv --paired    how good the common space is, beside chance\n"
    "  cda match old.csv new.csv                            which column could be which, by shape alone\n"
    "  cda cluster data.csv                                 rows that belong together in some columns\n"
    "  cda describe X.csv                                   what is in a table\n"
    "  cda experiment recovery --quick                      how well it works where the truth is known\n"
    "  cda list                                             methods and parts to choose from\n"
    "  cda fit --help                                       the options of a command\n";

}  // namespace

int main(int count, char** arguments) {
  using namespace cda::command;
  hand_over_studies(count, arguments);
  static constexpr Action (*commands[])(CLI::App&, Session&) = {
      add_fit,    add_test,     add_transform, add_nearest,    add_transfer, add_score,      add_match, add_cluster,
      add_report, add_describe, add_synth,     add_experiment, add_list,     add_completion, add_man};
  return run_program(count, arguments, {introduction, commands, completions});
}
