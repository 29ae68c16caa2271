// The options of the launchers, as far as needed to find the program behind them.
#pragma once

#include <span>
#include <string_view>

#include "libmap/mapping/launch.hpp"

namespace rankmap {

// What an option means for us, beyond being passed over.
enum class OptionEffect {
  nothing,
  binds,     // the user asked for a binding
  maps,      // the user placed the ranks; a binding may come with it
  elsewhere  // the program stands in a file: there is nothing to wrap on this line
};

struct LauncherOption {
  std::string_view name;  // without leading dashes
  int arguments;
  OptionEffect effect = OptionEffect::nothing;
};

std::span<const LauncherOption> launcher_options(LauncherKind kind);

}  // namespace rankmap
