// Finished replicates as lines of JSON: first what they are of, then each as it is done,
//
//   {"written_by": ..., "experiment": "table1", "seed": 0, "runs": null, "options": {...}}
//   {"replicate": "linear: 3", "result": "..."}
//
// A line is written at once and never changed, so that whatever ends the process leaves whole lines and at most one
// that is cut short.
#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <sstream>

#include "studies/results.hpp"

namespace cda {
namespace {

using Record = nlohmann::json;

std::string line_of(const Record& json) { return json.dump(-1, ' ', false, Record::error_handler_t::replace) + "\n"; }

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  if (file) content << file.rdbuf();
  return content.str();
}

class InFile final : public KeptReplicates {
 public:
  InFile(std::string path, const std::string& header) : path_(std::move(path)) {
    const std::string content = content_of(path_);
    std::size_t good = 0;
    if (content.rfind(header, 0) == 0) {
      good = header.size();
      for (std::size_t end = content.find('\n', good); end != std::string::npos; end = content.find('\n', good)) {
        const auto line = Record::parse(content.begin() + static_cast<std::ptrdiff_t>(good),
                                        content.begin() + static_cast<std::ptrdiff_t>(end), nullptr, false);
        if (!line.is_object() || !line.contains("replicate") || !line["replicate"].is_string() ||
            !line.contains("result") || !line["result"].is_string())
          break;
        known_[line["replicate"].get<std::string>()] = line["result"].get<std::string>();
        good = end + 1;
      }
    }
    if (good > 0) {
      std::error_code failure;
      std::filesystem::resize_file(path_, good, failure);
      if (failure) refuse(failure.message());
      file_.open(path_, std::ios::binary | std::ios::app);
    } else {
      file_.open(path_, std::ios::binary | std::ios::trunc);
      file_ << header << std::flush;
    }
    if (!file_) refuse(std::strerror(errno));
  }

  std::optional<std::string> find(const std::string& replicate) const override {
    const std::lock_guard lock(mutex_);
    const auto at = known_.find(replicate);
    return at != known_.end() ? std::optional(at->second) : std::nullopt;
  }

  void keep(const std::string& replicate, const std::string& result) override {
    const std::lock_guard lock(mutex_);
    known_[replicate] = result;
    file_ << line_of({{"replicate", replicate}, {"result", result}}) << std::flush;
    if (!file_) refuse(std::strerror(errno));
  }

  Index count() const override {
    const std::lock_guard lock(mutex_);
    return static_cast<Index>(known_.size());
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw Error(Fault::io, "io.write", fmt::format("cannot write {}: {}", in_quotes(path_, 200), why));
  }

  std::string path_;
  mutable std::mutex mutex_;
  std::map<std::string, std::string> known_;
  std::ofstream file_;
};

}  // namespace

std::shared_ptr<KeptReplicates> replicates_in_file(const std::string& path, const PartSpec& study,
                                                   const ExperimentOptions& options) {
  const PartSpec whole = experiments().complete(study);
  const Record header = {{"written_by", written_by()},
                         {"experiment", whole.name},
                         {"seed", options.seed},
                         {"runs", options.runs ? Record(*options.runs) : Record(nullptr)},
                         {"options", options_in_force(whole, options)}};
  return std::make_shared<InFile>(path, line_of(header));
}

}  // namespace cda
