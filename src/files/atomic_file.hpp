// A file that is there whole or not at all: written beside its target under another name, then renamed over it.
#pragma once

#include <string>
#include <utility>

namespace cda {

// Where an output goes.
struct Target {
  enum class Kind { descriptor, device, file };

  explicit Target(const std::string& path);

  Kind kind = Kind::file;
  std::string path;     // as given, for messages
  std::string real;     // with symbolic links followed to their end
  int descriptor = -1;  // of an output that is open already: standard output, /dev/fd/3
  bool exists = false;
  unsigned mode = 0;  // permission bits of the file that is there
};

// One output on its way. stage() writes everything but changes nothing anybody sees; publish() puts it in place, and
// make_lasting() sees that it stays there when the power fails.
class PendingFile {
 public:
  explicit PendingFile(Target target) : target_(std::move(target)) {}
  PendingFile(PendingFile&& other) noexcept;
  PendingFile(const PendingFile&) = delete;
  PendingFile& operator=(const PendingFile&) = delete;
  PendingFile& operator=(PendingFile&&) = delete;
  ~PendingFile();  // removes what was staged and not published

  void stage(const std::string& content);
  void publish(const std::string& content);
  void make_lasting() const;
  const Target& target() const { return target_; }

 private:
  int create();
  void discard() noexcept;

  Target target_;
  std::string temporary_;
  int slot_ = -1;
};

}  // namespace cda
