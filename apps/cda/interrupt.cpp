#include "interrupt.hpp"

#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include <atomic>
#include <cstring>

#include "cda/error.hpp"
#include "cda/files.hpp"

namespace cda::command {
namespace {

// Everything a handler touches is lock-free, and it calls async-signal-safe functions only.
std::atomic<int> asked{0};
std::atomic<bool> writing{false};
std::atomic<bool> waited{false};  // the deadline has, for what is being written
std::atomic<bool> json{false};
std::atomic<bool> keeping{false};
std::atomic<bool> drawn_line{false};
std::atomic<bool> wordless{false};
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

constexpr suseconds_t deadline_microseconds = 900'000;

[[noreturn]] void leave_now(int signal) {
  const char* text = json ? "{\"error\":{\"code\":\"interrupted\",\"file\":null,\"line\":null,\"column\":null,"
                            "\"message\":\"interrupted\",\"hint\":null}}\n"
                          : "cda: error: interrupted\n";
  remove_unfinished_files();
  const auto say = [](const char* words) {
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, words, std::strlen(words));
  };
  if (!wordless) {
    if (drawn_line) say("\r\033[K");
    say(text);
  }
  _exit(128 + signal);
}

void set_timer() {
  itimerval timer{};
  timer.it_value.tv_usec = deadline_microseconds;
  setitimer(ITIMER_REAL, &timer, nullptr);
}

void on_stop_signal(int signal) {
  int none = 0;
  if (!asked.compare_exchange_strong(none, signal)) leave_now(signal);
  if (!keeping) set_timer();
}

void on_deadline(int) {
  if (asked == 0) return;
  if (writing && !waited.exchange(true))
    set_timer();
  else
    leave_now(asked);
}

// A reader that leaves ends the command without a word, as it does where nobody handles the signal; but what was staged
// for other outputs goes first.
void on_broken_pipe(int signal) {
  remove_unfinished_files();
  raise(signal);  // handled once: this time it ends the process
}

void handle(int signal, void (*handler)(int), int flags = SA_RESTART) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

}  // namespace

void watch_signals(bool errors_as_json) {
  json = errors_as_json;
  handle(SIGALRM, on_deadline);
  // A file beyond the allowed size (ulimit -f) is an error of writing like a full disk, not a sudden end.
  handle(SIGXFSZ, SIG_IGN);
  // A shell that starts a job in the background makes it ignore SIGINT, nohup SIGHUP; that wish is kept.
  const auto ignored = [](int signal) {
    struct sigaction current {};
    sigaction(signal, nullptr, &current);
    return current.sa_handler == SIG_IGN;
  };
  for (const int signal : {SIGINT, SIGTERM, SIGHUP})
    if (!ignored(signal)) handle(signal, on_stop_signal);
  if (!ignored(SIGPIPE)) handle(SIGPIPE, on_broken_pipe, static_cast<int>(SA_RESETHAND));
}

int stop_signal() { return asked; }

void stop_if_asked() {
  if (asked != 0 && !keeping) throw Error(Fault::internal, "interrupted", "interrupted");
}

void keep_partial_results() {
  stop_if_asked();
  keeping = true;
}

bool partial_wanted() { return keeping && asked != 0; }

void end_after_partial_result(const std::string& kept) {
  if (partial_wanted()) throw Error(Fault::internal, "interrupted.partial", "interrupted; " + kept);
}

void end_without_words() { wordless = true; }

void line_to_clear(bool drawn) { drawn_line = drawn; }

WhileWriting::WhileWriting() {
  stop_if_asked();
  writing = true;
}
WhileWriting::~WhileWriting() { writing = false; }

}  // namespace cda::command
