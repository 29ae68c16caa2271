// A time limit that searches ask.
#pragma once

#include <chrono>
#include <optional>

namespace rankmap {

class Deadline {
 public:
  Deadline() = default;  // never passes
  explicit Deadline(std::optional<double> seconds_from_now) {
    constexpr double longest_seconds = 1e8;  // the clock counts nanoseconds in 64 bits
    if (seconds_from_now && *seconds_from_now < longest_seconds)
      end_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                std::chrono::duration<double>(*seconds_from_now));
  }
  bool passed() const { return end_ && Clock::now() >= *end_; }

 private:
  using Clock = std::chrono::steady_clock;
  std::optional<Clock::time_point> end_;
};

class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace rankmap
