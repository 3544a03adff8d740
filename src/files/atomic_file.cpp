// The order that survives a crash at any point: create (exclusively), write, fsync, close, rename, fsync the folder.
// The temporary file `.<name>.tmp.<pid>` stands beside the real target, since rename() is atomic only within one file
// system. Devices, pipes and descriptors that are open already cannot be replaced, so they are written directly.
#include "files/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <climits>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "cda/error.hpp"
#include "cda/files.hpp"
#include "cda/table.hpp"

namespace cda {
namespace {

// Temporary files that exist now. A signal handler may read this at any moment: fixed memory, published by a flag.
struct Unfinished {
  std::atomic<bool> taken{false}, ready{false};
  std::array<char, PATH_MAX> path{};
};
std::array<Unfinished, 16> unfinished;

int remember(const std::string& path) {
  if (path.size() >= PATH_MAX) return -1;
  for (std::size_t slot = 0; slot < unfinished.size(); ++slot) {
    if (unfinished[slot].taken.exchange(true)) continue;
    std::memcpy(unfinished[slot].path.data(), path.c_str(), path.size() + 1);
    unfinished[slot].ready = true;
    return static_cast<int>(slot);
  }
  return -1;
}

void forget(int slot) noexcept {
  if (slot < 0) return;
  unfinished[static_cast<std::size_t>(slot)].ready = false;
  unfinished[static_cast<std::size_t>(slot)].taken = false;
}

[[noreturn]] void refuse(const Target& target, int reason, const std::string& hint = {}) {
  const std::string name = target.path == "-" ? "standard output" : in_quotes(target.path, 200);
  throw Error(Fault::io, "io.write", fmt::format("cannot write {}: {}", name, std::strerror(reason)), hint);
}

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

// /dev/stdout may lead to a plain file (`> out.txt`), which is not ours to replace: write where it is open.
int open_already(const std::string& path) {
  if (path == "-" || path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view prefix : {"/dev/fd/", "/proc/self/fd/"}) {
    if (path.compare(0, prefix.size(), prefix) != 0) continue;
    int number = -1;
    const char* end = path.data() + path.size();
    const auto read = std::from_chars(path.data() + prefix.size(), end, number);
    if (read.ec == std::errc() && read.ptr == end && number >= 0) return number;
  }
  return -1;
}

// The end of a chain of symbolic links, also where nothing is there yet.
std::string followed(const std::string& path) {
  std::string real = path;
  for (int links = 0; links < 40; ++links) {
    std::array<char, PATH_MAX> buffer{};
    const ssize_t length = ::readlink(real.c_str(), buffer.data(), buffer.size());
    if (length < 0) return real;
    const std::string next(buffer.data(), static_cast<std::size_t>(length));
    const std::size_t slash = real.rfind('/');
    real = next.front() == '/' || slash == std::string::npos ? next : real.substr(0, slash + 1) + next;
  }
  return real;
}

void write_all(int descriptor, const std::string& content, const Target& target) {
  std::size_t written = 0;
  while (written < content.size()) {
    const ssize_t part = ::write(descriptor, content.data() + written, content.size() - written);
    if (part < 0 && errno == EINTR) continue;
    if (part <= 0) refuse(target, part < 0 ? errno : ENOSPC);
    written += static_cast<std::size_t>(part);
  }
}

void sync_folder(const Target& target) {
  const int folder = ::open(folder_of(target.real).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;  // a folder that may be written but not read: the rename itself has been done
  const int failure = ::fsync(folder) != 0 ? errno : 0;
  ::close(folder);
  if (failure != 0 && failure != EINVAL && failure != ENOTSUP) refuse(target, failure);
}

// Closes on the way out; close() is asked for its answer on the good path.
class Opened {
 public:
  explicit Opened(int number) : number_(number) {}
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;
  ~Opened() {
    if (number_ >= 0) ::close(number_);
  }
  int number() const { return number_; }
  bool close() { return ::close(std::exchange(number_, -1)) == 0; }

 private:
  int number_;
};

}  // namespace

Target::Target(const std::string& given) : path(given), real(given), descriptor(open_already(given)) {
  if (given.empty() || given.find('\0') != std::string::npos)
    throw Error(Fault::usage, "io.path", "this cannot be a file name: " + in_quotes(given));
  if (descriptor >= 0) {
    kind = Kind::descriptor;
    return;
  }
  struct stat status {};
  exists = ::stat(given.c_str(), &status) == 0;
  if (!exists && errno != ENOENT) refuse(*this, errno);
  if (exists && S_ISDIR(status.st_mode)) refuse(*this, EISDIR);
  if (exists && ::access(given.c_str(), W_OK) != 0) refuse(*this, errno);
  if (exists && !S_ISREG(status.st_mode)) {
    kind = Kind::device;
    return;
  }
  mode = status.st_mode & 07777u;
  real = followed(given);
  struct stat folder {};
  if (real.back() == '/' || ::stat(folder_of(real).c_str(), &folder) != 0)
    refuse(*this, ENOENT, "there is no folder " + in_quotes(folder_of(real), 200));
  if (!S_ISDIR(folder.st_mode)) refuse(*this, ENOTDIR);
}

PendingFile::PendingFile(PendingFile&& other) noexcept
    : target_(std::move(other.target_)),
      temporary_(std::exchange(other.temporary_, {})),
      slot_(std::exchange(other.slot_, -1)) {}

PendingFile::~PendingFile() { discard(); }

void PendingFile::discard() noexcept {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
  temporary_.clear();
  forget(std::exchange(slot_, -1));
}

// A file of that name left by an earlier process with the same number is passed by, never touched.
int PendingFile::create() {
  const std::size_t slash = target_.real.rfind('/');
  const std::string folder = slash == std::string::npos ? "" : target_.real.substr(0, slash + 1);
  const std::string name = slash == std::string::npos ? target_.real : target_.real.substr(slash + 1);
  const std::string stem = fmt::format("{}.{}.tmp.{}", folder, name.substr(0, 200), ::getpid());
  for (int attempt = 0; attempt < 100; ++attempt) {
    const std::string candidate = attempt == 0 ? stem : fmt::format("{}.{}", stem, attempt);
    int file = ::open(candidate.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0 && errno == EEXIST) continue;
    if (file < 0) refuse(target_, errno);
    temporary_ = candidate;
    slot_ = remember(candidate);
    // Where standard output is closed, 1 is free, and a stray print would land in the file.
    if (file <= STDERR_FILENO) {
      const int higher = ::fcntl(file, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
      const int reason = errno;
      ::close(file);
      if (higher < 0) refuse(target_, reason);
      file = higher;
    }
    return file;
  }
  refuse(target_, EEXIST, "old temporary files are in the way: " + in_quotes(stem, 200));
}

void PendingFile::stage(const std::string& content) {
  if (target_.kind != Target::Kind::file) return;
  Opened file(create());
  // Some file systems have no modes to keep; that is no reason to lose a result.
  if (target_.exists && ::fchmod(file.number(), target_.mode) != 0 && errno != EPERM && errno != ENOTSUP)
    refuse(target_, errno);
  write_all(file.number(), content, target_);
  if (::fsync(file.number()) != 0 && errno != EINVAL) refuse(target_, errno);
  if (!file.close()) refuse(target_, errno);
}

void PendingFile::publish(const std::string& content) {
  if (target_.kind == Target::Kind::descriptor) {
    write_all(target_.descriptor, content, target_);
    return;
  }
  if (target_.kind == Target::Kind::device) {
    Opened device(::open(target_.path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY));
    if (device.number() < 0) refuse(target_, errno);
    write_all(device.number(), content, target_);
    if (!device.close()) refuse(target_, errno);
    return;
  }
  if (::rename(temporary_.c_str(), target_.real.c_str()) != 0) refuse(target_, errno);
  temporary_.clear();
  forget(std::exchange(slot_, -1));
}

void PendingFile::make_lasting() const {
  if (target_.kind == Target::Kind::file) sync_folder(target_);
}

void write_files(const std::vector<OutputFile>& files) {
  std::vector<PendingFile> pending;
  pending.reserve(files.size());
  for (const OutputFile& file : files) {
    Target target(file.path);
    for (const PendingFile& earlier : pending)
      if (target.kind == Target::Kind::file && output_place(earlier.target().path) == output_place(file.path))
        throw Error(Fault::usage, "io.same-output", "two outputs go to the same file: " + in_quotes(file.path, 200));
    pending.emplace_back(std::move(target));
  }
  for (std::size_t i = 0; i < files.size(); ++i) pending[i].stage(files[i].content);
  // Devices, pipes and standard output cannot be taken back, so they come before files are renamed, which hardly fails.
  // Of these standard output is the last: where a device is full nothing has been printed, and where nobody reads what
  // is printed no file has been replaced.
  const auto turn = [](const Target& target) {
    if (target.kind == Target::Kind::file) return 2;
    return target.descriptor == STDOUT_FILENO ? 1 : 0;
  };
  for (const int now : {0, 1, 2})
    for (std::size_t i = 0; i < files.size(); ++i)
      if (turn(pending[i].target()) == now) pending[i].publish(files[i].content);
  for (const PendingFile& file : pending) file.make_lasting();  // a failure here finds all in their places
}

std::string output_place(const std::string& path) {
  const Target target(path);
  if (target.kind == Target::Kind::descriptor) return fmt::format("descriptor {}", target.descriptor);
  std::error_code failure;
  const std::filesystem::path whole = std::filesystem::absolute(target.real, failure);
  const std::filesystem::path plain = std::filesystem::weakly_canonical(whole, failure);
  return failure ? target.real : plain.string();
}

void write_file(const std::string& path, const std::string& content) {
  PendingFile file{Target(path)};
  file.stage(content);
  file.publish(content);
  file.make_lasting();
}

void check_writable(const std::string& path) {
  PendingFile probe{Target(path)};
  const Target& target = probe.target();
  if (target.kind == Target::Kind::descriptor) {
    const int flags = ::fcntl(target.descriptor, F_GETFL);
    if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY) refuse(target, EBADF);
  }
  probe.stage({});
}

bool same_file(const std::string& a, const std::string& b) {
  struct stat first {
  }, second{};
  if (a == "-" || b == "-" || ::stat(a.c_str(), &first) != 0 || ::stat(b.c_str(), &second) != 0) return false;
  return first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

void remove_unfinished_files() noexcept {
  for (Unfinished& file : unfinished)
    if (file.ready) ::unlink(file.path.data());
}

}  // namespace cda
