// One line on a terminal's standard error about what a strategy is at; silent elsewhere.
#pragma once

#include <functional>

#include "libmap/base/deadline.hpp"
#include "libmap/place/strategy.hpp"

namespace rankmap::cli {

class ProgressLine {
 public:
  ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine() { clear(); }
  // Valid as long as the line; empty where there is no terminal.
  std::function<void(const PlaceProgress&)> teller();
  void clear();

 private:
  void tell(const PlaceProgress& progress);

  bool on_terminal_;
  bool is_shown_ = false;
  Stopwatch watch_;
};

}  // namespace rankmap::cli
