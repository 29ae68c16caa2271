// Division of many numbers by one that is known late, by a multiplication: several times as fast as
// the processor's own. Source: Granlund and Montgomery, Division by invariant integers, PLDI 1994.
#pragma once

#include <cstdint>

namespace rankmap {

class Divider {
 public:
  explicit Divider(std::int32_t divisor)  // >= 1
      : divisor_(divisor),
        reciprocal_((std::uint64_t{1} << 62) / static_cast<std::uint64_t>(divisor) + 1) {}

  // Rounded down, for n >= 0. The reciprocal is too large by less than 1, which adds less than n /
  // 2^62 to a quotient that is at least 1 / divisor below the next whole number.
  std::int32_t quotient(std::int32_t n) const {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::int32_t>(
        (Wide{static_cast<std::uint64_t>(static_cast<std::uint32_t>(n))} * reciprocal_) >> 62);
  }
  std::int32_t remainder(std::int32_t n) const { return n - quotient(n) * divisor_; }

 private:
  std::int32_t divisor_;
  std::uint64_t reciprocal_;
};

}  // namespace rankmap
