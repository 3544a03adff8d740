#include "typed_options.hpp"

#include <algorithm>

namespace cda::command {

std::string TypedOptions::spelling(const std::string& name) {
  std::string flag = "--" + name;
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

void TypedOptions::add(CLI::App& command, const OptionField& info, bool flag, bool list) {
  std::vector<std::string>& texts = typed_[info.name];
  const std::string names = spelling(info.name) + (info.also != nullptr ? std::string(",--") + info.also : "");
  CLI::Option* option = nullptr;
  if (flag)
    option = command.add_flag_callback(
        names, [&texts] { texts = {"yes"}; }, info.words);
  else if (list)
    option = command.add_option(names, texts, info.words)->allow_extra_args(false);
  else
    option = command.add_option_function<std::string>(
        names, [&texts](const std::string& text) { texts = {text}; }, info.words);
  option->group(info.group);
  if (!flag) option->type_name(info.takes);
}

}  // namespace cda::command
