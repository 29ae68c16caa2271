// A connected random graph: a random recursive tree and pairs drawn evenly from all others.
#include "libmap/base/random.hpp"

#include <algorithm>
#include <numeric>

#include "patterns/kinds/kinds.hpp"

namespace rankmap {
namespace {

constexpr std::uint64_t default_degree = 4;

std::uint64_t all_pairs(std::uint64_t ranks) {
  return ranks * (ranks - 1) / 2;
}

// Average degree d means n*d/2 pairs, rounded down.
std::uint64_t wanted_pairs(const PatternTerm& term) {
  const auto ranks = static_cast<std::uint64_t>(term.shape.ranks);
  const std::uint64_t degree =
      term.degree ? static_cast<std::uint64_t>(*term.degree) : std::min(default_degree, ranks - 1);
  return ranks * degree / 2;
}

std::uint64_t key_of(Rank a, Rank b) {
  return static_cast<std::uint64_t>(std::min(a, b)) << 32 |
         static_cast<std::uint64_t>(std::max(a, b));
}

// The pairs taken so far, sorted; a set of that size would cost much more in memory and time.
class RandomPairs {
 public:
  explicit RandomPairs(const PatternTerm& term)
      : ranks_(term.shape.ranks), wanted_(wanted_pairs(term)), random_(term.seed) {
    taken_.reserve(wanted_);
  }

  void take_tree() {
    std::vector<Rank> order(static_cast<std::size_t>(ranks_));
    std::iota(order.begin(), order.end(), 0);
    random_.shuffle(order);
    for (std::size_t i = 1; i < order.size(); ++i)
      taken_.push_back(key_of(order[i], order[random_.below(i)]));
    std::sort(taken_.begin(), taken_.end());
  }

  // Draws as many as are missing, leaves out what is there already, and again.
  void take_sparse() {
    const auto bound = static_cast<std::uint64_t>(ranks_);
    while (taken_.size() < wanted_) {
      while (taken_.size() < wanted_) {
        const auto a = static_cast<Rank>(random_.below(bound));
        const auto b = static_cast<Rank>(random_.below(bound));
        if (a != b) taken_.push_back(key_of(a, b));
      }
      std::sort(taken_.begin(), taken_.end());
      taken_.erase(std::unique(taken_.begin(), taken_.end()), taken_.end());
    }
  }

  // When more than half of all pairs are wanted drawing would mostly repeat: shuffle what is left.
  void take_dense() {
    std::vector<std::uint64_t> left;
    left.reserve(all_pairs(static_cast<std::uint64_t>(ranks_)) - taken_.size());
    for (Rank a = 0; a < ranks_; ++a)
      for (Rank b = a + 1; b < ranks_; ++b)
        if (!std::binary_search(taken_.begin(), taken_.end(), key_of(a, b)))
          left.push_back(key_of(a, b));
    random_.shuffle(left);
    left.resize(wanted_ - taken_.size());
    taken_.insert(taken_.end(), left.begin(), left.end());
  }

  void emit(Emitter& emitter) const {
    for (const std::uint64_t key : taken_)
      emitter.each_way(static_cast<Rank>(key >> 32), static_cast<Rank>(key & 0xffffffffU));
  }

 private:
  Rank ranks_;
  std::uint64_t wanted_;
  Random random_;
  std::vector<std::uint64_t> taken_;
};

}  // namespace

std::uint64_t edges_random(const PatternTerm& term) {
  return 2 * wanted_pairs(term);
}

// The same seed gives the same graph on every machine.
void generate_random(const PatternTerm& term, Emitter& emitter) {
  RandomPairs pairs(term);
  pairs.take_tree();
  if (2 * wanted_pairs(term) > all_pairs(static_cast<std::uint64_t>(term.shape.ranks)))
    pairs.take_dense();
  else
    pairs.take_sparse();
  pairs.emit(emitter);
}

}  // namespace rankmap
