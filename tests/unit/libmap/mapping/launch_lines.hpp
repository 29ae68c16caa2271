// Command lines as tables: one line in, one line out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "libmap/base/text.hpp"
#include "libmap/mapping/launch.hpp"

namespace rankmap {

inline std::vector<std::string> words(std::string_view line) {
  std::vector<std::string> result;
  for (const std::string_view word : split_words(line)) result.emplace_back(word);
  return result;
}

// The wrapper in these tables is "W --".
inline LaunchOptions short_options() {
  LaunchOptions options;
  options.wrapper = "W";
  return options;
}

inline std::string wrapped_line(LauncherKind kind, std::string_view line,
                                const LaunchOptions& options = short_options()) {
  return join(wrap_launch(words(line), kind, options).argv, " ");
}

// The refusal's reason, before the advice; "accepted: LINE" where there is none.
inline std::string refusal(LauncherKind kind, std::string_view line,
                           const LaunchOptions& options = short_options()) {
  try {
    return "accepted: " + wrapped_line(kind, line, options);
  } catch (const UsageError& error) {
    const std::string text = error.what();
    return text.substr(0, text.find(';'));
  }
}

inline std::string notes_of(LauncherKind kind, std::string_view line,
                            const LaunchOptions& options = short_options()) {
  return join(wrap_launch(words(line), kind, options).notes, "\n");
}

}  // namespace rankmap
