// Parts by name. A file in a folder parts/ is one entry; its stem is the name used in
// C++, on the command line, in JSON and in the tests. Entries declare their options once, here: the same list checks
// what is asked for, fills in the rest, and is printed by `cda list`.
#pragma once

#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "cda/error.hpp"
#include "cda/types.hpp"

namespace cda {

// One option of a part: its name, the value it has unless asked otherwise, and what it does.
struct OptionInfo {
  std::string name;
  std::string value;
  std::string summary;
};

// The options of one part in force, as text (the form in which they are typed and saved), read with a type.
class Settings {
 public:
  Settings() = default;
  Settings(std::initializer_list<std::pair<const std::string, std::string>> values) : values_(values) {}

  double number(const std::string& name, double lowest, double highest) const;  // throws where outside
  Index count(const std::string& name, Index lowest, Index highest) const;
  bool flag(const std::string& name) const;  // yes or no
  std::string choice(const std::string& name, std::initializer_list<const char*> allowed) const;
  const std::string& text(const std::string& name) const;

  void set(const std::string& name, std::string value) { values_[name] = std::move(value); }
  bool has(const std::string& name) const { return values_.count(name) != 0; }
  const std::map<std::string, std::string>& values() const { return values_; }

 private:
  std::map<std::string, std::string> values_;
};

// A part as it is asked for: `quadratic`, `pca:3`, `extended_mallows:order=1`. A value without a name belongs to the
// part's first option.
struct PartSpec {
  std::string name;
  Settings settings;

  PartSpec() = default;
  PartSpec(const char* text) : PartSpec(std::string(text)) {}  // NOLINT(google-explicit-constructor): reads as text
  PartSpec(const std::string& text);                           // NOLINT(google-explicit-constructor)
  std::string to_string() const;
};

// What a catalogue says of an entry without making it.
struct PartInfo {
  std::string name;
  std::string summary;    // one line
  std::string reference;  // where it comes from
  std::vector<OptionInfo> options;
};

// The machinery below the template, so that it is compiled once.
Settings complete_settings(const PartInfo& info, const std::string& kind, const PartSpec& spec);
[[noreturn]] void unknown_name(const std::string& kind, const std::string& name, const std::vector<std::string>& known);
std::vector<std::string> nearest_names(const std::string& wrong, const std::vector<std::string>& known);
bool same_name(const std::string& a, const std::string& b);  // ignoring case, and - against _

template <class Part>
class Catalogue {
 public:
  struct Entry {
    PartInfo info;
    std::function<std::unique_ptr<Part>(const Settings&)> make;
  };

  Catalogue(std::string kind, std::vector<Entry> entries) : kind_(std::move(kind)), entries_(std::move(entries)) {}

  // Adds a part from outside the library. A name that is taken is an error.
  void add(Entry entry) {
    const std::lock_guard lock(mutex_);
    for (const Entry& known : entries_)
      if (same_name(known.info.name, entry.info.name))
        throw Error(Fault::usage, "catalogue.taken", "there is already a " + kind_ + " named " + known.info.name);
    entries_.push_back(std::move(entry));
  }

  // The part, made with its options filled in. An unknown name or option lists the near ones.
  std::unique_ptr<Part> make(const PartSpec& spec) const {
    const Entry entry = find(spec.name);
    return entry.make(complete_settings(entry.info, kind_, spec));
  }

  // The same request with the catalogue's spelling and every option filled in: what is saved and shown.
  PartSpec complete(const PartSpec& spec) const {
    const Entry entry = find(spec.name);
    PartSpec whole;
    whole.name = entry.info.name;
    whole.settings = complete_settings(entry.info, kind_, spec);
    return whole;
  }

  std::vector<PartInfo> list() const {
    const std::lock_guard lock(mutex_);
    std::vector<PartInfo> infos;
    for (const Entry& entry : entries_) infos.push_back(entry.info);
    return infos;
  }

  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const PartInfo& info : list()) names.push_back(info.name);
    return names;
  }

 private:
  Entry find(const std::string& name) const {
    {
      const std::lock_guard lock(mutex_);
      for (const Entry& entry : entries_)
        if (same_name(entry.info.name, name)) return entry;
    }
    unknown_name(kind_, name, names());
  }

  std::string kind_;
  std::vector<Entry> entries_;
  mutable std::mutex mutex_;
};

}  // namespace cda
