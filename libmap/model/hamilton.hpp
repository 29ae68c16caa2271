// Directed Hamiltonian cycles of a small graph: whether one exists, and all of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rankmap {

// Bit b of row a: vertex b may follow vertex a.
using Followers = std::vector<std::uint32_t>;

// Tells whether a path from vertex 0 can still become a Hamiltonian cycle. The table has 2^(size-1)
// words, made once in O(2^size x size); 2..20 vertices.
class Completions {
 public:
  static constexpr std::size_t most_vertices = 20;
  explicit Completions(const Followers& followers);

  // Members of `unvisited` (never vertex 0) from which a path visits all the others, then returns to
  // vertex 0. Not for the empty set.
  std::uint32_t starts(std::uint32_t unvisited) const { return starts_[unvisited >> 1]; }
  bool any_cycle() const { return (starts_.back() & first_) != 0; }

 private:
  std::uint32_t first_;  // may follow vertex 0
  std::vector<std::uint32_t> starts_;
};

// All cycles, each once, as rows of `size` followers (row[v] follows v), in lexicographic order of the
// vertices visited from 0.
struct CycleList {
  std::size_t size = 0;
  std::vector<std::uint8_t> followers;
  bool complete = true;  // false: cut at `most`

  std::size_t count() const { return followers.size() / size; }
  const std::uint8_t* row(std::size_t cycle) const { return followers.data() + cycle * size; }
};
CycleList list_cycles(const Followers& followers, std::size_t most);

}  // namespace rankmap
