#include "base/shared_order.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>

#include "base/over_ranks.hpp"

namespace cda {
namespace {

constexpr std::uint64_t sign = std::uint64_t{1} << 63;

// Whole numbers in the order of doubles, and back.
std::uint64_t image(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  return (bits & sign) != 0 ? ~bits : bits | sign;
}
double preimage(std::uint64_t place) { return std::bit_cast<double>((place & sign) != 0 ? place & ~sign : ~place); }

Index below(const Vector& increasing, double value) {
  return std::lower_bound(increasing.begin(), increasing.end(), value) - increasing.begin();
}
Index not_above(const Vector& increasing, double value) {
  return std::upper_bound(increasing.begin(), increasing.end(), value) - increasing.begin();
}

// For each place the lowest value of which more than `place` values are not above it. Every round cuts what is left of
// each search into `ways` parts: few rounds for few places, short messages for many.
using CountNotAbove = std::function<Index(std::size_t place, double value)>;
std::vector<double> narrowed_down(const std::vector<Index>& places, const CountNotAbove& not_above_here,
                                  const Communicator& ranks) {
  const std::uint64_t ways = places.size() <= 256 ? 16 : (places.size() <= 1024 ? 4 : 2);
  struct Search {
    std::uint64_t low, high;  // the answer is one of low ... high
  };
  const std::uint64_t lowest = image(-std::numeric_limits<double>::infinity());
  const std::uint64_t highest = image(std::numeric_limits<double>::infinity());
  std::vector<Search> searches(places.size(), Search{lowest, highest});
  std::vector<std::uint64_t> counts(places.size() * (ways - 1));
  const auto probe = [&](const Search& search, std::uint64_t way) {  // way 1 ... ways - 1, from low to below high
    const std::uint64_t width = search.high - search.low;
    return search.low + width / ways * way + width % ways * way / ways;
  };
  for (;;) {
    if (std::all_of(searches.begin(), searches.end(), [](const Search& each) { return each.low == each.high; })) break;
    std::size_t at = 0;
    for (std::size_t i = 0; i < searches.size(); ++i)
      for (std::uint64_t way = 1; way < ways; ++way, ++at)
        counts[at] = static_cast<std::uint64_t>(not_above_here(i, preimage(probe(searches[i], way))));
    ranks.sum(counts.data(), static_cast<Index>(counts.size()));
    at = 0;
    for (std::size_t i = 0; i < searches.size(); ++i) {
      const Search before = searches[i];
      for (std::uint64_t way = 1; way < ways; ++way, ++at) {
        if (before.low == before.high) continue;
        const std::uint64_t here = probe(before, way);
        if (counts[at] > static_cast<std::uint64_t>(places[i]))
          searches[i].high = std::min(searches[i].high, here);
        else
          searches[i].low = here + 1;
      }
    }
  }
  std::vector<double> values;
  for (const Search& search : searches) values.push_back(preimage(search.low));
  return values;
}

}  // namespace

std::vector<double> values_at(const std::vector<Index>& places, const Vector& increasing, const Communicator& ranks) {
  return narrowed_down(
      places, [&](std::size_t, double value) { return not_above(increasing, value); }, ranks);
}

Vector quantiles_at(const Vector& shares, const Vector& increasing, const Executor& executor) {
  const Communicator* ranks = executor.ranks();
  const Index last = executor.total(increasing.size()) - 1;
  const auto place = [&](Index i) { return shares[i] * static_cast<double>(last); };
  std::vector<Index> places;
  for (Index i = 0; i < shares.size(); ++i) {
    places.push_back(static_cast<Index>(place(i)));
    places.push_back(std::min(places.back() + 1, last));
  }
  std::vector<double> found;
  if (ranks != nullptr)
    found = values_at(places, increasing, *ranks);
  else
    for (const Index at : places) found.push_back(increasing[at]);
  Vector quantiles(shares.size());
  for (Index i = 0; i < shares.size(); ++i) {
    const auto below = static_cast<std::size_t>(2 * i);
    const double share = place(i) - static_cast<double>(places[below]);
    quantiles[i] = (1.0 - share) * found[below] + share * found[below + 1];
  }
  return quantiles;
}

std::vector<Index> equal_shares(Index n, int ranks) {
  std::vector<Index> begin;
  for (Index r = 0; r <= ranks; ++r) begin.push_back(r * (n / ranks) + std::min(r, n % ranks));
  return begin;
}

std::vector<double> values_at_both(const std::vector<Index>& places, const Vector& x_increasing,
                                   const Vector& y_increasing, const Communicator& ranks) {
  return narrowed_down(
      places,
      [&](std::size_t, double value) { return not_above(x_increasing, value) + not_above(y_increasing, value); },
      ranks);
}

Deal::Deal(Communicator::Parts to, Index own, Index first, const Communicator& ranks)
    : ranks_(&ranks), to_(std::move(to)), from_(arriving(to_.count, ranks)), own_(own), first_(first) {}

std::vector<Deal> Deal::by_place(const std::vector<Places>& samples, const Communicator& ranks) {
  const auto size = static_cast<std::size_t>(ranks.size()), here = static_cast<std::size_t>(ranks.rank());
  std::vector<Index> places;  // of each sample: begin and end of rank 0, of rank 1, ...
  for (const Places& sample : samples)
    for (std::size_t r = 0; r < size; ++r) places.insert(places.end(), {sample.begin[r], sample.end[r]});
  const auto values_of = [&](std::size_t place) -> const Vector& { return samples[place / (2 * size)].increasing; };
  const std::vector<double> values = narrowed_down(
      places, [&](std::size_t i, double value) { return not_above(values_of(i), value); }, ranks);
  // Of values equal to the one at a place, those before it are the first in the order of ranks.
  const std::size_t width = 2 * places.size();
  std::vector<std::uint64_t> counts(size * width, 0);
  for (std::size_t i = 0; i < places.size(); ++i) {
    counts[here * width + 2 * i] = static_cast<std::uint64_t>(below(values_of(i), values[i]));
    counts[here * width + 2 * i + 1] = static_cast<std::uint64_t>(not_above(values_of(i), values[i]));
  }
  ranks.sum(counts.data(), static_cast<Index>(counts.size()));
  const auto own_before = [&](std::size_t i) {
    Index left = places[i];
    for (std::size_t r = 0; r < size; ++r) left -= static_cast<Index>(counts[r * width + 2 * i]);
    const auto equal = [&](std::size_t r) {
      return static_cast<Index>(counts[r * width + 2 * i + 1] - counts[r * width + 2 * i]);
    };
    for (std::size_t r = 0; r < here; ++r) left -= equal(r);
    return static_cast<Index>(counts[here * width + 2 * i]) + std::clamp<Index>(left, 0, equal(here));
  };
  std::vector<Deal> deals;
  for (std::size_t s = 0; s < samples.size(); ++s) {
    Communicator::Parts to;
    for (std::size_t r = 0; r < size; ++r) {
      const std::size_t place = 2 * (s * size + r);
      to.begin.push_back(own_before(place));
      to.count.push_back(std::max<Index>(0, own_before(place + 1) - to.begin.back()));
    }
    deals.push_back(Deal(std::move(to), samples[s].increasing.size(), samples[s].begin[here], ranks));
  }
  return deals;
}

Deal Deal::in_equal_shares(const Vector& increasing, Index total, const Communicator& ranks) {
  const std::vector<Index> shares = equal_shares(total, ranks.size());
  return by_place({{increasing, {shares.begin(), shares.end() - 1}, {shares.begin() + 1, shares.end()}}}, ranks)[0];
}

Deal Deal::by_value(const std::vector<double>& bounds, const Vector& increasing, const Communicator& ranks) {
  std::vector<Index> ends;
  for (const double bound : bounds) ends.push_back(below(increasing, bound));
  ends.push_back(increasing.size());
  std::vector<std::uint64_t> before(ends.begin(), ends.end());
  ranks.sum(before.data(), static_cast<Index>(before.size()));
  const auto here = static_cast<std::size_t>(ranks.rank());
  std::vector<Index> counts{ends.front()};
  for (std::size_t r = 1; r < ends.size(); ++r) counts.push_back(ends[r] - ends[r - 1]);
  return {in_a_row(std::move(counts)), increasing.size(), here == 0 ? 0 : static_cast<Index>(before[here - 1]), ranks};
}

Vector Deal::dealt(const Vector& increasing) const {
  Vector received(std::accumulate(from_.count.begin(), from_.count.end(), Index{0}));
  ranks_->exchange(increasing.data(), to_, received.data(), from_);
  return received;
}

Vector Deal::returned(const Vector& for_dealt) const {
  const Communicator::Parts back = in_a_row(to_.count);
  Vector received(std::accumulate(back.count.begin(), back.count.end(), Index{0}));
  ranks_->exchange(for_dealt.data(), from_, received.data(), back);
  Vector own = Vector::Zero(own_);
  for (std::size_t r = 0; r < to_.count.size(); ++r)
    own.segment(to_.begin[r], to_.count[r]) += received.segment(back.begin[r], back.count[r]);
  return own;
}

}  // namespace cda
