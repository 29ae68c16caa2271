// Automorphisms of the app by backtracking, level by level of a stabiliser chain.
#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include "libmap/place/exact/structure/symmetry.hpp"

namespace rankmap {
namespace {

constexpr std::size_t most_steps = 200'000;
std::size_t at(std::int32_t index) {
  return static_cast<std::size_t>(index);
}

// colour[i * ranks + j]: equal exactly where i tells j the same; the diagonal holds what is fixed.
std::vector<int> colours(const Instance& instance) {
  using Stream = std::tuple<std::int32_t, Bytes, std::uint32_t>;
  const auto ranks = at(instance.ranks());
  std::vector<std::vector<Stream>> said(ranks * ranks);
  for (const Edge& edge : instance.app().edges())
    said[at(edge.source) * ranks + at(edge.destination)].emplace_back(edge.phase, edge.bytes, 0);
  for (const Pair& pair : instance.app().pairs())
    said[at(pair.low) * ranks + at(pair.high)].emplace_back(-1, 0, pair.weight),
        said[at(pair.high) * ranks + at(pair.low)].emplace_back(-1, 0, pair.weight);
  for (Rank rank = 0; rank < instance.ranks(); ++rank)
    if (instance.fixed(rank) != none)
      said[at(rank) * ranks + at(rank)].emplace_back(-2, static_cast<Bytes>(rank), 0);
  std::map<std::vector<Stream>, int> number;
  std::vector<int> colour;
  for (std::vector<Stream>& streams : said) {
    std::sort(streams.begin(), streams.end());
    colour.push_back(number.try_emplace(streams, static_cast<int>(number.size())).first->second);
  }
  return colour;
}

class Automorphisms {
 public:
  Automorphisms(const Instance& instance, const std::vector<Rank>& order)
      : ranks_(at(instance.ranks())),
        order_(order),
        colour_(colours(instance)),
        signature_(ranks_),
        image_(ranks_),
        taken_(ranks_) {
    for (std::size_t rank = 0; rank < ranks_; ++rank) {
      for (std::size_t other = 0; other < ranks_; ++other) {
        signature_[rank].push_back(colour_[rank * ranks_ + other]);
        signature_[rank].push_back(colour_[other * ranks_ + rank]);
      }
      std::sort(signature_[rank].begin(), signature_[rank].end());
    }
  }

  std::vector<std::vector<Rank>> rules() {
    std::vector<std::vector<Rank>> above(ranks_);
    orbit_.resize(ranks_);
    std::iota(orbit_.begin(), orbit_.end(), Rank{0});
    for (std::size_t level = ranks_; level-- > 0;) {
      for (std::size_t later = level + 1; later < ranks_; ++later)
        if (root(order_[later]) != root(order_[level])) try_image(level, order_[later]);
      for (std::size_t later = level + 1; later < ranks_; ++later)
        if (root(order_[later]) == root(order_[level]))
          above[at(order_[later])].push_back(order_[level]);
    }
    return above;
  }

 private:
  Rank root(Rank rank) {
    while (orbit_[at(rank)] != rank) rank = orbit_[at(rank)];
    return rank;
  }

  // Looks for an automorphism that keeps the ranks before `level` and takes the level's to `to`.
  void try_image(std::size_t level, Rank to) {
    std::fill(taken_.begin(), taken_.end(), false);
    for (std::size_t i = 0; i < level; ++i) image_[i] = order_[i], taken_[at(order_[i])] = true;
    if (!fits(level, to)) return;
    image_[level] = to;
    taken_[at(to)] = true;
    if (!extend(level + 1)) return;
    for (std::size_t i = 0; i < ranks_; ++i) {
      const Rank a = root(order_[i]), b = root(image_[i]);
      if (a != b) orbit_[at(b)] = a;
    }
  }

  bool extend(std::size_t level) {
    if (level == ranks_) return true;
    for (std::size_t candidate = 0; candidate < ranks_; ++candidate) {
      const auto to = static_cast<Rank>(candidate);
      if (taken_[candidate] || !fits(level, to)) continue;
      image_[level] = to;
      taken_[candidate] = true;
      if (extend(level + 1)) return true;
      taken_[candidate] = false;
    }
    return false;
  }

  bool fits(std::size_t level, Rank to) {
    if (++steps_ > most_steps) return false;
    const Rank from = order_[level];
    if (signature_[at(from)] != signature_[at(to)] ||
        colour_[at(from) * ranks_ + at(from)] != colour_[at(to) * ranks_ + at(to)])
      return false;
    for (std::size_t i = 0; i < level; ++i)
      if (colour_[at(from) * ranks_ + at(order_[i])] != colour_[at(to) * ranks_ + at(image_[i])] ||
          colour_[at(order_[i]) * ranks_ + at(from)] != colour_[at(image_[i]) * ranks_ + at(to)])
        return false;
    return true;
  }

  std::size_t ranks_;
  const std::vector<Rank>& order_;
  std::vector<int> colour_;
  std::vector<std::vector<int>> signature_;
  std::vector<Rank> image_;
  std::vector<char> taken_;
  std::vector<Rank> orbit_;
  std::size_t steps_ = 0;
};

}  // namespace

std::vector<std::vector<Rank>> rank_symmetry(const Instance& instance,
                                             const std::vector<Rank>& order) {
  return Automorphisms(instance, order).rules();
}

}  // namespace rankmap
