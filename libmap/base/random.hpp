// Random numbers from an explicit seed: the same on every machine, compiler and thread count.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace rankmap {

// SplitMix64 (Steele, Lea, Flood 2014): 64-bit state, period 2^64, every seed is good.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }

  // Uniform in 0..bound-1, without bias; bound >= 1.
  std::uint64_t below(std::uint64_t bound) {
    const std::uint64_t unfair = (0 - bound) % bound;
    for (;;) {
      const std::uint64_t value = next();
      if (value >= unfair) return value % bound;
    }
  }

  // Fisher-Yates: every order equally likely.
  template <typename T>
  void shuffle(std::vector<T>& values) {
    for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[below(i)]);
  }

 private:
  std::uint64_t state_;
};

}  // namespace rankmap
