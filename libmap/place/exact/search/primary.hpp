// What the search for the objective's optimum hands to the search among equals.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "libmap/base/deadline.hpp"
#include "libmap/place/exact/instance.hpp"

namespace rankmap {

// Says, while ranks are placed one by one, whether a completion with the optimal value may exist.
class Guard {
 public:
  virtual ~Guard() = default;
  // After the rank was put on the slot: false where no completion reaches the value. leave() follows
  // in any case, in reverse order.
  virtual bool enter(Rank rank, int slot) = 0;
  virtual void leave(Rank rank, int slot) = 0;
};

// Sets of slots that must not be used again, for the second, third ... best.
using ExcludedSets = std::vector<std::vector<SlotId>>;

struct Search {
  const Instance& instance;
  const Deadline& deadline;
  const ExcludedSets& excluded;

  bool usable(const std::vector<int>& slot_of) const;  // its set is not excluded
};

struct Primary {
  std::optional<std::vector<int>> slot_of;  // a mapping with the best value; nullopt: none is left
  std::optional<double> bound;              // where it is not proven
  bool proven = true;
  std::unique_ptr<Guard> guard;  // nullptr: the tie key itself keeps the value
  bool all_equals = true;        // the guard lets every mapping of equal value pass
  bool machine_symmetry = true;  // the guard treats slots that are twins alike
  std::int64_t most_aggbw =
      std::numeric_limits<std::int64_t>::max();  // of any mapping of that value
  std::vector<std::string> notes;
};

}  // namespace rankmap
