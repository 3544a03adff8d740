#include "support/thread_ranks.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "cda/extend/executor.hpp"

namespace cda::test {
namespace {

struct Left : std::runtime_error {
  Left() : std::runtime_error("another rank has left") {}
};

// What all ranks share: what each shows to the others, and a barrier that opens for good once somebody has left.
class Room {
 public:
  explicit Room(int size) : shown(static_cast<std::size_t>(size)), size_(size) {}

  void wait() {
    std::unique_lock lock(mutex_);
    if (left_) throw Left();
    const long turn = turn_;
    if (++waiting_ == size_) {
      waiting_ = 0;
      ++turn_;
      changed_.notify_all();
      return;
    }
    changed_.wait(lock, [&] { return turn_ != turn || left_; });
    if (turn_ == turn) throw Left();
  }
  void leave() {
    const std::lock_guard lock(mutex_);
    left_ = true;
    changed_.notify_all();
  }

  struct Shown {
    const void* data;
    const Communicator::Parts* parts;
    Index count;
  };
  std::vector<Shown> shown;

 private:
  int size_, waiting_ = 0;
  long turn_ = 0;
  bool left_ = false;
  std::mutex mutex_;
  std::condition_variable changed_;
};

class ThreadRank : public Communicator {
 public:
  ThreadRank(int rank, int size, Room& room) : rank_(rank), size_(size), room_(&room) {}
  int rank() const override { return rank_; }
  int size() const override { return size_; }
  void sum(double* numbers, Index count) const override {
    combine(numbers, count, [](double a, double b) { return a + b; });
  }
  void sum(std::uint64_t* numbers, Index count) const override {
    combine(numbers, count, [](std::uint64_t a, std::uint64_t b) { return a + b; });
  }
  void largest(double* numbers, Index count) const override {
    combine(numbers, count, [](double a, double b) { return std::max(a, b); });
  }
  void in_turn(double* numbers, Index count, const std::function<void()>& add) const override {
    show({numbers, nullptr, count});
    for (int r = 0; r < size_; ++r) {
      if (r == rank_) {
        if (r > 0) take_from(r - 1, numbers, count);
        add();
      }
      room_->wait();
    }
    if (rank_ != size_ - 1) take_from(size_ - 1, numbers, count);
    room_->wait();
  }

  void exchange(const void* sent, const Parts& to, void* received, const Parts& from) const override {
    show({sent, &to, 0});
    for (std::size_t r = 0; r < room_->shown.size(); ++r) {
      const auto& other = room_->shown[r];
      const auto here = static_cast<std::size_t>(rank_);
      if (other.parts->count[here] != from.count[r]) throw std::logic_error("ranks disagree on how much is sent");
      if (from.count[r] > 0)
        std::memcpy(static_cast<double*>(received) + from.begin[r],
                    static_cast<const double*>(other.data) + other.parts->begin[here],
                    static_cast<std::size_t>(from.count[r]) * sizeof(double));
    }
    room_->wait();
  }

 private:
  void show(const Room::Shown& mine) const {
    room_->shown[static_cast<std::size_t>(rank_)] = mine;
    room_->wait();
  }
  void take_from(int rank, double* numbers, Index count) const {
    const auto& other = room_->shown[static_cast<std::size_t>(rank)];
    if (other.count != count) throw std::logic_error("ranks disagree on how much is added");
    std::copy_n(static_cast<const double*>(other.data), count, numbers);
  }
  template <class Number, class Join>
  void combine(Number* numbers, Index count, const Join& join) const {
    show({numbers, nullptr, count});
    std::vector<Number> joined(static_cast<std::size_t>(count));
    for (std::size_t r = 0; r < room_->shown.size(); ++r) {
      if (room_->shown[r].count != count) throw std::logic_error("ranks disagree on how much is summed");
      const auto* others = static_cast<const Number*>(room_->shown[r].data);
      for (std::size_t i = 0; i < joined.size(); ++i) joined[i] = r == 0 ? others[i] : join(joined[i], others[i]);
    }
    room_->wait();
    std::copy(joined.begin(), joined.end(), numbers);
    room_->wait();
  }

  int rank_, size_;
  Room* room_;
};

}  // namespace

void on_ranks(int ranks, const std::function<void(const Communicator&)>& work) {
  Room room(ranks);
  std::vector<std::exception_ptr> failures(static_cast<std::size_t>(ranks));
  std::atomic<bool> stranded{false};
  {
    std::vector<std::jthread> threads;
    for (int r = 0; r < ranks; ++r)
      threads.emplace_back([&, r] {
        try {
          work(ThreadRank(r, ranks, room));
        } catch (const Left&) {
          stranded = true;
        } catch (...) {
          failures[static_cast<std::size_t>(r)] = std::current_exception();
        }
        room.leave();
      });
  }
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
  if (stranded) throw std::logic_error("a rank was done while another still had something to say");
}

Matrix own_rows(const Matrix& rows, const Communicator& ranks, Spread spread) {
  const Index n = rows.rows(), r = ranks.rank(), size = ranks.size();
  if (spread == Spread::evenly) return rows.middleRows(r * n / size, (r + 1) * n / size - r * n / size);
  if (spread == Spread::in_blocks) {
    const std::vector<Index> begins = Executor::rank_begins(n, ranks.size());
    const auto here = static_cast<std::size_t>(r);
    return rows.middleRows(begins[here], begins[here + 1] - begins[here]);
  }
  const auto begin = [&](Index rank) { return rank == 0 ? 0 : (rank == size ? n : std::min<Index>(n, rank - 1)); };
  return rows.middleRows(begin(r), begin(r + 1) - begin(r));
}

}  // namespace cda::test
