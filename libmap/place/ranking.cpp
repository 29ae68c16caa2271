// The order among mappings.
#include "libmap/place/ranking.hpp"

#include <algorithm>
#include <cmath>

namespace rankmap {

bool same_value(std::optional<double> a, std::optional<double> b) {
  if (!a || !b) return a.has_value() == b.has_value();
  return std::abs(*a - *b) <= 1e-12 * std::max(std::abs(*a), std::abs(*b));
}

bool better_value(std::optional<double> a, std::optional<double> b, bool maximise) {
  if (!a || !b) return a.has_value() && !b;
  if (same_value(a, b)) return false;
  return maximise ? *a > *b : *a < *b;
}

std::optional<double> tighter_bound(std::optional<double> a, std::optional<double> b,
                                    bool maximise) {
  if (!a || !b) return a ? a : b;
  return maximise ? std::min(*a, *b) : std::max(*a, *b);
}

int compare_costs(const std::vector<double>& a, const std::vector<double>& b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!(a[i] == b[i]) && !same_value(a[i], b[i])) return a[i] < b[i] ? -1 : 1;
  return 0;
}

bool before(const Candidate& a, const Candidate& b, bool maximise) {
  if (better_value(a.value, b.value, maximise)) return true;
  if (better_value(b.value, a.value, maximise)) return false;
  if (const int further = compare_costs(a.further, b.further); further != 0) return further < 0;
  if (a.key != b.key) return a.key < b.key;
  return a.mapping < b.mapping;
}

std::vector<SlotId> slots_used(const Mapping& mapping) {
  std::vector<SlotId> slots = mapping.slot_of;
  std::sort(slots.begin(), slots.end());
  slots.erase(std::unique(slots.begin(), slots.end()), slots.end());
  return slots;
}

}  // namespace rankmap
