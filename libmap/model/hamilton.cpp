// Hamiltonian cycles by depth-first search along a table of what can still be completed.
#include "libmap/model/hamilton.hpp"

#include <bit>

namespace rankmap {
namespace {

class CycleSearch {
 public:
  CycleSearch(const Followers& followers, std::size_t most)
      : followers_(followers), completions_(followers), most_(most), row_(followers.size()) {
    list_.size = followers.size();
  }

  CycleList run() {
    const std::uint32_t others = ((1U << followers_.size()) - 1) & ~1U;
    extend(0, others);
    return std::move(list_);
  }

 private:
  void extend(std::size_t last, std::uint32_t unvisited) {
    if (unvisited == 0) {
      row_[last] = 0;
      list_.followers.insert(list_.followers.end(), row_.begin(), row_.end());
      return;
    }
    std::uint32_t rest = followers_[last] & completions_.starts(unvisited);
    for (; rest != 0; rest &= rest - 1) {
      const auto next = static_cast<std::size_t>(std::countr_zero(rest));
      if (list_.count() >= most_) {
        list_.complete = false;
        return;
      }
      row_[last] = static_cast<std::uint8_t>(next);
      extend(next, unvisited & ~(1U << next));
    }
  }

  const Followers& followers_;
  Completions completions_;
  std::size_t most_;
  std::vector<std::uint8_t> row_;
  CycleList list_;
};

}  // namespace

Completions::Completions(const Followers& followers)
    : first_(followers[0]), starts_(std::size_t{1} << (followers.size() - 1), 0) {
  for (std::size_t half = 1; half < starts_.size(); ++half) {
    const auto unvisited = static_cast<std::uint32_t>(half << 1);
    for (std::uint32_t rest = unvisited; rest != 0; rest &= rest - 1) {
      const std::uint32_t start = rest & (~rest + 1);
      const std::uint32_t others = unvisited & ~start;
      const std::uint32_t next = others == 0 ? 1U : starts(others);
      if ((followers[static_cast<std::size_t>(std::countr_zero(rest))] & next) != 0) {
        starts_[half] |= start;
      }
    }
  }
}

CycleList list_cycles(const Followers& followers, std::size_t most) {
  return CycleSearch(followers, most).run();
}

}  // namespace rankmap
