// fork() without exec(): the child has the open file, the options and the code at hand, does its one job and leaves by
// _exit(), so that nothing it inherited is run twice. It hears no handler of the parent, says nothing on the standard
// streams, dies with the parent, and is ended and reaped before the parent goes on, whatever happens.
#include "files/isolated.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <fstream>
#include <new>

#include "files/input_file.hpp"
#include "files/message.hpp"

namespace cda {
namespace {

constexpr std::int64_t a_table = 1, an_error = 2;

Error no_memory(const Isolation& isolation) {
  return {Fault::resource,
          "memory",
          fmt::format("the {} library found not enough memory for this file", isolation.library),
          "--max-bytes allows more, if the machine has the memory",
          {.file = isolation.file}};
}

class Pipe {
 public:
  Pipe() {
    if (::pipe2(ends_, O_CLOEXEC) != 0)
      throw Error(Fault::io, "io.pipe", fmt::format("cannot make a pipe: {}", std::strerror(errno)));
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    close_end(0);
    close_end(1);
  }
  int in() const { return ends_[1]; }
  int out() const { return ends_[0]; }
  void close_end(int which) {
    if (ends_[which] >= 0) ::close(ends_[which]);
    ends_[which] = -1;
  }

 private:
  int ends_[2] = {-1, -1};
};

// No signal arrives between fork() and the moment when the child has its own manners.
class SignalsHeld {
 public:
  SignalsHeld() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;
  ~SignalsHeld() { release(); }
  void release() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_{};
};

class Child {
 public:
  explicit Child(pid_t number) : number_(number) {}
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    if (number_ <= 0) return;
    ::kill(number_, SIGKILL);
    wait();
  }
  // How it ended, as waitpid() says; -1 where nobody knows.
  int wait() {
    int status = -1;
    while (::waitpid(number_, &status, 0) < 0)
      if (errno != EINTR) {
        status = -1;
        break;
      }
    number_ = -1;
    return status;
  }

 private:
  pid_t number_;
};

void limit(int what, std::uint64_t most) {
  rlimit current{};
  if (::getrlimit(static_cast<__rlimit_resource_t>(what), &current) != 0) return;
  const rlim_t wanted = std::min<rlim_t>(most, current.rlim_max);
  const rlimit changed{std::min(wanted, current.rlim_cur), current.rlim_max};
  ::setrlimit(static_cast<__rlimit_resource_t>(what), &changed);
}

std::uint64_t address_space_in_use() {
  std::uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

void behave_as_a_child(const Isolation& isolation, pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);
  for (int signal = 1; signal < NSIG; ++signal) {
    struct sigaction action {};
    if (::sigaction(signal, nullptr, &action) != 0 || action.sa_handler == SIG_IGN) continue;
    action.sa_handler = SIG_DFL;
    action.sa_flags = 0;
    ::sigaction(signal, &action, nullptr);
  }
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere >= 0)
    for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) ::dup2(nowhere, stream);
  constexpr std::uint64_t own_needs = std::uint64_t{256} << 20;
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, isolation.cpu_seconds);
  limit(RLIMIT_AS, address_space_in_use() + isolation.most_bytes + own_needs);
}

[[noreturn]] void serve(Message message, const Isolation& isolation, const std::function<RawTable()>& read) {
  const auto answer = [&](const Error& error) {
    message.put(an_error);
    message.put(error);
  };
  try {
    try {
      const RawTable table = read();
      message.put(a_table);
      message.put(table);
    } catch (const Error& error) {
      answer(error);
    } catch (const std::bad_alloc&) {
      answer(no_memory(isolation));
    } catch (const std::exception& failure) {
      answer(Error(Fault::internal, "internal", failure.what(), "", {.file = isolation.file}));
    }
  } catch (...) {
    ::_exit(1);
  }
  ::_exit(0);
}

[[noreturn]] void refuse(const Isolation& isolation, int status) {
  const bool signalled = status != -1 && WIFSIGNALED(status);
  const int signal = signalled ? WTERMSIG(status) : 0;
  const Place place{.file = isolation.file};
  if (signal == SIGXCPU)
    throw Error(Fault::resource, "library.time",
                fmt::format("the {} library did not finish with this file in {} seconds", isolation.library,
                            isolation.cpu_seconds),
                "it may be damaged, or made to do harm", place);
  if (signal == SIGKILL)
    throw Error(Fault::resource, "library.killed",
                fmt::format("the system ended the {} library while it read this file", isolation.library),
                "the machine may be out of memory", place);
  if (signal == SIGINT || signal == SIGTERM || signal == SIGHUP)
    throw Error(Fault::io, "interrupted", fmt::format("reading was ended by signal {}", signal), "", place);
  throw Error(Fault::input, "library.failed",
              fmt::format("the {} library failed on this file{}; it may be damaged, or made to do harm",
                          isolation.library, signalled ? fmt::format(" (signal {})", signal) : ""),
              "", place);
}

}  // namespace

RawTable read_isolated(const Isolation& isolation, const std::function<RawTable()>& read) {
  Pipe pipe;
  const pid_t parent = ::getpid();
  SignalsHeld held;
  const pid_t number = ::fork();
  if (number < 0)
    throw Error(Fault::resource, "process", fmt::format("cannot start a process: {}", std::strerror(errno)));
  if (number == 0) {
    behave_as_a_child(isolation, parent);
    held.release();
    serve(Message(pipe.in()), isolation, read);
  }
  Child child(number);
  held.release();
  pipe.close_end(1);
  Message message(pipe.out());
  try {
    if (message.get_number(a_table, an_error) == a_table) return message.get_table();
    throw message.get_error();
  } catch (const Message::Incomplete&) {
    // An answer that is cut off or cannot be: closing our end also ends a child that still writes.
    pipe.close_end(0);
    refuse(isolation, child.wait());
  }
}

RawTable read_isolated(const InputFile& file, const std::string& library, const std::function<RawTable()>& read) {
  file.path_for_library();  // throws where there is none
  const std::uint64_t seconds = 10 + (file.size() >> 19);
  RawTable table = read_isolated(
      {.file = file.shown(), .library = library, .most_bytes = file.most_bytes(), .cpu_seconds = seconds}, read);
  file.check_unchanged();
  return table;
}

}  // namespace cda
