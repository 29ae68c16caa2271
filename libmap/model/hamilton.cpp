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
    for (std::uint32_t rest = followers_[last] & unvisited; rest != 0; rest &= rest - 1) {
      const auto next = static_cast<std::size_t>(std::countr_zero(rest));
      const std::uint32_t after = unvisited & ~(1U << next);
      if ((completions_.able(after) >> next & 1U) == 0) continue;
      if (list_.count() >= most_) {
        list_.complete = false;
        return;
      }
      row_[last] = static_cast<std::uint8_t>(next);
      extend(next, after);
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
    : able_(std::size_t{1} << (followers.size() - 1), 0) {
  for (std::size_t v = 1; v < followers.size(); ++v) able_[0] |= (followers[v] & 1U) << v;
  for (std::size_t half = 1; half < able_.size(); ++half) {
    const auto unvisited = static_cast<std::uint32_t>(half << 1);
    std::uint32_t steps = 0;  // members of unvisited from which the rest can be done
    for (std::uint32_t rest = unvisited; rest != 0; rest &= rest - 1) {
      const std::uint32_t next = rest & (~rest + 1);
      if ((able(unvisited & ~next) & next) != 0) steps |= next;
    }
    for (std::size_t v = 0; v < followers.size() && steps != 0; ++v) {
      const bool outside = (unvisited >> v & 1U) == 0;
      if (outside && (followers[v] & steps) != 0) able_[half] |= 1U << v;
    }
  }
}

CycleList list_cycles(const Followers& followers, std::size_t most) {
  return CycleSearch(followers, most).run();
}

}  // namespace rankmap
