// What the dynamic programs over subsets carry: the best sum, or the set of reachable link counts.
// An algebra has values and steps: join() keeps both alternatives, extend() adds the gain of one
// pair, merge() puts two disjoint parts together. A target is one outcome inside a value; the
// functions on targets lead the way back to an embedding.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace rankmap {

// Largest sum; V is int32 or int64. Gains are >= 0 and their total is below `limit`.
template <typename V>
struct BestSum {
  using Value = V;
  using Step = V;
  using Target = V;
  static constexpr V limit = V{1} << (sizeof(V) * 8 - 4);
  static constexpr Value none_reached() { return -2 * limit; }
  static constexpr Value start() { return 0; }
  static bool reached(Value value) { return value > -limit; }
  static void join(Value& into, Value from) { into = from > into ? from : into; }
  static Value extend(Value value, Step step) { return value + step; }
  static Value merge(Value a, Value b) { return a + b; }

  static bool contains(Value value, Target target) { return value == target; }
  static bool before_step(Target target, Step step, Target& earlier) {
    earlier = target - step;
    return true;
  }
  static bool split(Value a, Value b, Target target, Target& of_a, Target& of_b) {
    of_a = a;
    of_b = b;
    return reached(a) && reached(b) && a + b == target;
  }
};

// The reachable counts as bits: bit x * (E + 1) + y stands for x doubles and y singles, E the total
// of weights, so that a step is a shift. `Words` 64-bit words hold (E + 1)^2 bits.
template <std::size_t Words>
struct ReachableCounts {
  using Value = std::array<std::uint64_t, Words>;
  using Step = int;
  using Target = int;
  static constexpr Value none_reached() { return Value{}; }
  static constexpr Value start() { return Value{1}; }
  static bool reached(const Value& value) { return value != Value{}; }
  static void join(Value& into, const Value& from) {
    for (std::size_t i = 0; i < Words; ++i) into[i] |= from[i];
  }
  static Value extend(const Value& value, Step step) {
    Value shifted{};
    const auto whole = static_cast<std::size_t>(step) / 64;
    const auto bits = static_cast<unsigned>(step) % 64;
    for (std::size_t i = Words; i-- > whole;) {
      shifted[i] = value[i - whole] << bits;
      if (bits != 0 && i > whole) shifted[i] |= value[i - whole - 1] >> (64 - bits);
    }
    return shifted;
  }
  template <typename Visit>
  static void for_each_target(const Value& value, Visit visit) {
    for (std::size_t i = 0; i < Words; ++i)
      for (std::uint64_t word = value[i]; word != 0; word &= word - 1)
        visit(static_cast<int>(i) * 64 + __builtin_ctzll(word));
  }
  static Value merge(const Value& a, const Value& b) {
    Value sum{};
    for_each_target(b, [&](int target) { join(sum, extend(a, target)); });
    return sum;
  }

  static bool contains(const Value& value, Target target) {
    return target >= 0 &&
           (value[static_cast<std::size_t>(target) / 64] >> (static_cast<unsigned>(target) % 64) &
            1) != 0;
  }
  static bool before_step(Target target, Step step, Target& earlier) {
    earlier = target - step;
    return earlier >= 0;
  }
  static bool split(const Value& a, const Value& b, Target target, Target& of_a, Target& of_b) {
    bool found = false;
    for_each_target(b, [&](int part) {
      if (found || part > target || !contains(a, target - part)) return;
      of_a = target - part;
      of_b = part;
      found = true;
    });
    return found;
  }
};

}  // namespace rankmap
