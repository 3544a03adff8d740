// Ranks as MPI processes: the module that the command loads when it was started by mpirun. Compiled once for each
// implementation of MPI that is found; everything is in MPI's C interface, version 3.0.
//
// Waiting gives the processor to others: ranks may be more than cores. Sums are reduced to rank 0 and sent on from
// there, so that every rank has the same bits. An error of MPI itself ends the job (MPI_ERRORS_ARE_FATAL, the default).
#include <fcntl.h>
#include <mpi.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>

#include "launched_ranks.hpp"

namespace {

using namespace cda;
using cda::command::LaunchedRanks;

constexpr Index most_at_once = Index{1} << 27;  // words; counts are int

void wait_for(std::vector<MPI_Request>& requests) {
  constexpr int eager = 200, patient = 5000;  // rounds: at once, then letting others go first, then asleep
  int done = 0;
  for (int round = 0; done == 0; ++round) {
    MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE);
    if (done != 0 || round < eager) continue;
    if (round < patient)
      sched_yield();
    else
      usleep(100);
  }
}

void wait_for(MPI_Request request) {
  std::vector<MPI_Request> one{request};
  wait_for(one);
}

class MpiRanks : public LaunchedRanks {
 public:
  MpiRanks() {
    MPI_Comm_dup(MPI_COMM_WORLD, &work_);
    MPI_Comm_dup(MPI_COMM_WORLD, &ends_);
    MPI_Comm_rank(work_, &rank_);
    MPI_Comm_size(work_, &size_);
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  void sum(double* numbers, Index count) const override { combine(numbers, count, MPI_DOUBLE, MPI_SUM); }
  void sum(std::uint64_t* numbers, Index count) const override { combine(numbers, count, MPI_UINT64_T, MPI_SUM); }
  void largest(double* numbers, Index count) const override { combine(numbers, count, MPI_DOUBLE, MPI_MAX); }

  void in_turn(double* numbers, Index count, const std::function<void()>& add) const override {
    const auto in_pieces = [&](const auto& talk) {
      for (Index done = 0; done < count; done += most_at_once) {
        MPI_Request request{};
        talk(numbers + done, static_cast<int>(std::min(most_at_once, count - done)), &request);
        wait_for(request);
      }
    };
    const int last = size_ - 1;
    if (rank_ > 0)
      in_pieces([&](double* from, int length, MPI_Request* request) {
        MPI_Irecv(from, length, MPI_DOUBLE, rank_ - 1, 1, work_, request);
      });
    add();
    if (rank_ < last)
      in_pieces([&](double* from, int length, MPI_Request* request) {
        MPI_Isend(from, length, MPI_DOUBLE, rank_ + 1, 1, work_, request);
      });
    in_pieces([&](double* from, int length, MPI_Request* request) {
      MPI_Ibcast(from, length, MPI_DOUBLE, last, work_, request);
    });
  }

  void exchange(const void* sent, const Parts& to, void* received, const Parts& from) const override {
    const auto* out = static_cast<const std::uint64_t*>(sent);
    auto* in = static_cast<std::uint64_t*>(received);
    std::vector<MPI_Request> requests;
    const auto in_pieces = [](Index count, const auto& send) {
      for (Index done = 0; done < count; done += most_at_once)
        send(done, static_cast<int>(std::min(most_at_once, count - done)));
    };
    for (int r = 0; r < size_; ++r) {
      const auto other = static_cast<std::size_t>(r);
      if (r == rank_) {
        if (to.count[other] > 0)
          std::memcpy(in + from.begin[other], out + to.begin[other],
                      static_cast<std::size_t>(to.count[other]) * sizeof(std::uint64_t));
        continue;
      }
      in_pieces(from.count[other], [&](Index done, int count) {
        requests.emplace_back();
        MPI_Irecv(in + from.begin[other] + done, count, MPI_UINT64_T, r, 0, work_, &requests.back());
      });
      in_pieces(to.count[other], [&](Index done, int count) {
        requests.emplace_back();
        MPI_Isend(out + to.begin[other] + done, count, MPI_UINT64_T, r, 0, work_, &requests.back());
      });
    }
    wait_for(requests);
  }

  std::vector<int> ends(int code, double patience) override {
    using Clock = std::chrono::steady_clock;
    const auto began = Clock::now();
    std::vector<int> codes(static_cast<std::size_t>(size_), unknown), heard(codes.size(), unknown);
    static int own = 0;  // outlives messages that nobody takes any more
    own = codes[static_cast<std::size_t>(rank_)] = code;
    std::vector<MPI_Request> requests;
    for (int r = 0; r < size_; ++r) {
      if (r == rank_) continue;
      requests.emplace_back();
      MPI_Isend(&own, 1, MPI_INT, r, 0, ends_, &requests.back());
    }
    for (int missing = size_ - 1; missing > 0;) {
      int there = 0;
      MPI_Status status;
      MPI_Iprobe(MPI_ANY_SOURCE, 0, ends_, &there, &status);
      if (there != 0) {
        MPI_Recv(&codes[static_cast<std::size_t>(status.MPI_SOURCE)], 1, MPI_INT, status.MPI_SOURCE, 0, ends_,
                 MPI_STATUS_IGNORE);
        --missing;
      } else if (code != 0 && std::chrono::duration<double>(Clock::now() - began).count() > patience) {
        return codes;
      } else {
        usleep(1000);
      }
    }
    wait_for(requests);
    return codes;
  }

  void leave() override { MPI_Finalize(); }
  void abort(int code) override {
    // What has to be said was said; MPICH would add a line of its own.
    if (const int nowhere = open("/dev/null", O_WRONLY); nowhere >= 0) dup2(nowhere, STDERR_FILENO);
    MPI_Abort(MPI_COMM_WORLD, code);
    _exit(code);
  }

 private:
  template <class Number>
  void combine(Number* numbers, Index count, MPI_Datatype type, MPI_Op operation) const {
    for (Index done = 0; done < count; done += most_at_once) {
      Number* piece = numbers + done;
      const int length = static_cast<int>(std::min(most_at_once, count - done));
      MPI_Request request{};
      if (rank_ == 0)
        MPI_Ireduce(MPI_IN_PLACE, piece, length, type, operation, 0, work_, &request);
      else
        MPI_Ireduce(piece, nullptr, length, type, operation, 0, work_, &request);
      wait_for(request);
      MPI_Ibcast(piece, length, type, 0, work_, &request);
      wait_for(request);
    }
  }

  MPI_Comm work_ = MPI_COMM_NULL, ends_ = MPI_COMM_NULL;
  int rank_ = 0, size_ = 1;
};

}  // namespace

extern "C" __attribute__((visibility("default"))) cda::command::LaunchedRanks* cda_join_ranks() {
  int provided = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
  static MpiRanks ranks;
  return &ranks;
}
