#include "libmap/base/error.hpp"

#include <cstring>

#include "libmap/base/text.hpp"

namespace rankmap {
namespace {

std::string at(const TextPosition& where) {
  std::string text = where.source;
  if (where.line != 0)
    text += ":" + std::to_string(where.line) + ":" + std::to_string(where.column);
  return text;
}

}  // namespace

UsageError UsageError::unknown(std::string_view what, std::string_view found,
                               const std::vector<std::string>& expected) {
  return UsageError("unknown " + std::string(what) + " " + quoted(found) +
                    ", expected one of: " + join(expected, ", "));
}

InputError::InputError(const TextPosition& where, const std::string& message)
    : Error(ExitCode::bad_input, at(where) + ": " + message),
      where_(where),
      plain_message_(message) {}

SystemError SystemError::from_errno(std::string_view action, std::string_view object,
                                    int errno_value) {
  return SystemError("cannot " + std::string(action) + " " + quoted(object) + ": " +
                     std::strerror(errno_value));
}

}  // namespace rankmap
