#include "cli/progress.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "libmap/report/text_table.hpp"

namespace rankmap::cli {
namespace {

// To the line's beginning, and what is on it away.
constexpr const char* anew = "\r\033[K";

bool is_plain_terminal() {
  const char* const kind = std::getenv("TERM");
  return kind == nullptr || std::string_view(kind) == "dumb";
}

}  // namespace

ProgressLine::ProgressLine() : on_terminal_(isatty(STDERR_FILENO) != 0 && !is_plain_terminal()) {}

std::function<void(const PlaceProgress&)> ProgressLine::teller() {
  if (!on_terminal_) return {};
  return [this](const PlaceProgress& progress) { tell(progress); };
}

void ProgressLine::tell(const PlaceProgress& progress) {
  std::string text = std::string(progress.strategy);
  if (progress.quality) text += std::string(" ") + name_of(*progress.quality);
  if (progress.value) text += ", best so far " + readable(*progress.value);
  if (progress.value && progress.bound) text += ", bound " + readable(*progress.bound);
  std::fprintf(stderr, "%s%.0f s: %s", anew, watch_.seconds(), text.c_str());
  std::fflush(stderr);
  is_shown_ = true;
}

void ProgressLine::clear() {
  if (!is_shown_) return;
  is_shown_ = false;
  std::fputs(anew, stderr);
  std::fflush(stderr);
}

}  // namespace rankmap::cli
