// A connected random graph: a random recursive tree and pairs drawn evenly from all others.
#include "libmap/base/random.hpp"

#include <unordered_set>

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

// Draws pairs one by one and leaves out what is there already.
class RandomPairs {
 public:
  RandomPairs(const PatternTerm& term, Emitter& emitter)
      : ranks_(term.shape.ranks),
        wanted_(wanted_pairs(term)),
        random_(term.seed),
        emitter_(emitter) {
    taken_.reserve(wanted_);
  }

  void take_tree() {
    std::vector<Rank> order(static_cast<std::size_t>(ranks_));
    for (Rank i = 0; i < ranks_; ++i) order[static_cast<std::size_t>(i)] = i;
    random_.shuffle(order);
    for (std::size_t i = 1; i < order.size(); ++i) take(order[i], order[random_.below(i)]);
  }

  void take_sparse() {
    const auto bound = static_cast<std::uint64_t>(ranks_);
    while (taken_.size() < wanted_) {
      const auto a = static_cast<Rank>(random_.below(bound));
      const auto b = static_cast<Rank>(random_.below(bound));
      if (a != b) take(a, b);
    }
  }

  // When more than half of all pairs are wanted drawing would mostly repeat: shuffle what is left.
  void take_dense() {
    std::vector<std::pair<Rank, Rank>> left;
    left.reserve(all_pairs(static_cast<std::uint64_t>(ranks_)) - taken_.size());
    for (Rank a = 0; a < ranks_; ++a)
      for (Rank b = a + 1; b < ranks_; ++b)
        if (!taken_.contains(key_of(a, b))) left.emplace_back(a, b);
    random_.shuffle(left);
    for (std::size_t i = 0; taken_.size() < wanted_; ++i) take(left[i].first, left[i].second);
  }

 private:
  void take(Rank a, Rank b) {
    if (taken_.insert(key_of(a, b)).second) emitter_.each_way(a, b);
  }

  Rank ranks_;
  std::uint64_t wanted_;
  Random random_;
  Emitter& emitter_;
  std::unordered_set<std::uint64_t> taken_;
};

}  // namespace

std::uint64_t edges_random(const PatternTerm& term) {
  return 2 * wanted_pairs(term);
}

// The same seed gives the same graph on every machine.
void generate_random(const PatternTerm& term, Emitter& emitter) {
  RandomPairs pairs(term, emitter);
  pairs.take_tree();
  if (2 * wanted_pairs(term) > all_pairs(static_cast<std::uint64_t>(term.shape.ranks)))
    pairs.take_dense();
  else
    pairs.take_sparse();
}

}  // namespace rankmap
