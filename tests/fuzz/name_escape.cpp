// Any name, in every form in which names leave the program: shown on a terminal, quoted in a message, as JSON, as a CSV
// field. Nothing steers a terminal, and what programs read back is the name.
#include <nlohmann/json.hpp>

#include "base/utf8.hpp"
#include "cda/error.hpp"
#include "cda/files.hpp"
#include "console.hpp"
#include "files/csv_reader.hpp"
#include "fuzz/targets.hpp"

namespace cda::fuzz {

void name_escape(std::string_view input) {
  Choices choices(input);
  const std::size_t limit = 1 + choices.next(80);
  const std::string name(input);

  const std::string on_terminal = command::shown(name, limit);
  require(harmless(on_terminal), "shown() steers the terminal");
  require(command::shown_width(on_terminal) <= limit * 10 + 3, "shown() is wider than asked for");

  const std::string in_message = in_quotes(name, limit);
  require(harmless(in_message), "in_quotes() steers the terminal");
  require(in_message.size() <= std::max<std::size_t>(limit, 1) + 5, "in_quotes() is longer than asked for");

  const auto json = nlohmann::json::parse(command::error_json("code", {.file = name, .line = 1}, name, name));
  if (!valid_utf8(name)) return;
  require(json["error"]["message"] == name, "another message in JSON");

  // "first" would be there twice.
  if (name.find('\0') != std::string::npos || name.empty() || name.size() > 4000 || name == "first") return;
  const std::string field = csv_field(name);
  const RawTable table = read_csv("first," + field + "\n1,2\n3,4\n", "fuzz.csv", {.delimiter = ','});
  require(table.columns.size() == 2 && table.columns[1].name == name, "another name from CSV");
}

}  // namespace cda::fuzz
