// Long work as Python sees it: the interpreter is free meanwhile, and Ctrl-C ends it.
//
// Python's signals are noticed on its main thread alone, while the library's observers are called from any. So the work
// gets a thread of its own, and the one that Python called from waits, asking for signals 20 times a second.
#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <chrono>
#include <future>
#include <optional>
#include <system_error>
#include <thread>
#include <type_traits>

namespace cda::python {

namespace py = pybind11;

// work(going_on) is to end soon, by an exception, once going_on() is false. It runs without the interpreter's lock.
template <class Work>
auto interruptible(const Work& work) {
  std::atomic<bool> stopped{false};
  const auto going_on = [&stopped] { return !stopped; };
  using Result = std::invoke_result_t<Work, decltype(going_on)>;
  std::optional<py::error_already_set> signal;
  std::future<Result> result;
  {
    const py::gil_scoped_release free_interpreter;
    std::packaged_task<Result()> task([&] { return work(going_on); });
    result = task.get_future();
    std::thread worker;
    try {
      worker = std::thread(std::ref(task));
    } catch (const std::system_error&) {
      task();  // the system grants no thread: then without signals
    }
    while (worker.joinable() && !signal &&
           result.wait_for(std::chrono::milliseconds(50)) != std::future_status::ready) {
      const py::gil_scoped_acquire lock;
      if (PyErr_CheckSignals() == 0) continue;
      signal.emplace();
      stopped = true;
    }
    if (worker.joinable()) worker.join();
  }
  if (signal) throw *signal;
  return result.get();
}

}  // namespace cda::python
