// Put in front of the C library with LD_PRELOAD: makes the N-th call of one kind fail, or ends the process there.
//
//   FAULT_CALL   write, fsync, rename, close, open, read, malloc or pthread_create
//   FAULT_AT     which of its calls, counted from 1; calls before main() do not count; pthread_create: all from there
//   on FAULT_ERROR  errno; -1: SIGKILL instead of the call; -2, -3: a file that is read grows or shrinks just before
//   FAULT_MARK   a file that is made when it happens
//   FAULT_LEAST  malloc: calls for fewer bytes do not count
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

extern "C" void* __libc_malloc(std::size_t);

namespace {

char call[32];
char mark[4096];
long wanted = 0;
int error = 0;
std::size_t least = 0;
std::atomic<long> count{0};
std::atomic<bool> counting{false};

template <class Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

// System calls are made directly here: the functions below are the ones that were replaced.
void leave_mark() {
  const long file = syscall(SYS_openat, AT_FDCWD, mark, O_WRONLY | O_CREAT, 0644);
  if (file >= 0) syscall(SYS_close, file);
}

bool now(const char* name) {
  if (!counting || std::strcmp(call, name) != 0) return false;
  const long number = ++count;
  const bool hit = std::strcmp(name, "pthread_create") == 0 ? number >= wanted : number == wanted;
  if (!hit) return false;
  leave_mark();
  if (error == -1) kill(getpid(), SIGKILL);
  errno = error;
  return true;
}

void change(int file) {
  char link[64], path[4096];
  std::snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  const ssize_t length = readlink(link, path, sizeof path - 1);
  struct stat status {};
  if (length <= 0 || fstat(file, &status) != 0) return;
  path[length] = 0;
  if (truncate(path, error == -2 ? status.st_size + 1 : status.st_size / 2) != 0) std::perror("truncate");
}

int (*real_main)(int, char**, char**) = nullptr;

int counted_main(int argc, char** argv, char** environment) {
  const char* given = std::getenv("FAULT_CALL");
  const char* place = std::getenv("FAULT_MARK");
  if (given != nullptr) std::snprintf(call, sizeof call, "%s", given);
  if (place != nullptr) std::snprintf(mark, sizeof mark, "%s", place);
  if (const char* at = std::getenv("FAULT_AT")) wanted = std::atol(at);
  if (const char* number = std::getenv("FAULT_ERROR")) error = std::atoi(number);
  if (const char* bytes = std::getenv("FAULT_LEAST")) least = static_cast<std::size_t>(std::atol(bytes));
  counting = wanted > 0;
  const int code = real_main(argc, argv, environment);
  counting = false;
  return code;
}

}  // namespace

extern "C" {

using Main = int(int, char**, char**);
int __libc_start_main(Main* main, int argc, char** argv, void (*init)(), void (*fini)(), void (*loader)(), void* end) {
  real_main = main;
  using Start = int (*)(Main*, int, char**, void (*)(), void (*)(), void (*)(), void*);
  return next<Start>("__libc_start_main")(counted_main, argc, argv, init, fini, loader, end);
}

ssize_t write(int file, const void* bytes, size_t size) {
  if (now("write")) return -1;
  return syscall(SYS_write, file, bytes, size);
}

ssize_t read(int file, void* bytes, size_t size) {
  struct stat status {};
  // Files of the system's own, such as /proc/self/cgroup, have no size.
  if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0 && now("read")) {
    if (error > 0) return -1;
    change(file);
  }
  return syscall(SYS_read, file, bytes, size);
}

int fsync(int file) {
  if (now("fsync")) return -1;
  return static_cast<int>(syscall(SYS_fsync, file));
}

int close(int file) {
  // The descriptor is gone all the same: so it is on Linux when close() reports a failed write.
  const bool fails = now("close");
  const int code = static_cast<int>(syscall(SYS_close, file));
  if (fails) errno = error;
  return fails ? -1 : code;
}

int rename(const char* from, const char* to) {
  if (now("rename")) return -1;
  return static_cast<int>(syscall(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to));
}

int open(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const auto mode = (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  if (now("open")) return -1;
  return static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, flags, mode));
}

#ifndef WITHOUT_MALLOC
void* malloc(size_t size) {
  if (counting && size >= least && now("malloc")) return nullptr;
  return __libc_malloc(size);
}
#endif

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*), void* argument) {
  if (now("pthread_create")) return error;
  using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  static const auto create = next<Create>("pthread_create");
  return create(thread, attributes, run, argument);
}
}
