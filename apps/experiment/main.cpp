// The program of the studies: `cda-experiment NAME ...` is `cda experiment NAME ...`, which hands over to it. Asked for
// its --catalogue it tells the command what there is to choose from.
#include <string_view>
#include <vector>

#include "cda/extend/experiment.hpp"
#include "part_list.hpp"
#include "program.hpp"

int main(int count, char** arguments) {
  using namespace cda::command;
  if (count == 2 && arguments[1] == std::string_view("--catalogue")) {
    print(document(parts_json(cda::experiments().list())));
    return 0;
  }
  char experiment[] = "experiment";
  std::vector<char*> words(arguments, arguments + count);
  words.insert(words.begin() + 1, experiment);
  words.push_back(nullptr);
  static constexpr Action (*commands[])(CLI::App&, Session&) = {add_experiment};
  return run_program(count + 1, words.data(), {"", commands});
}
