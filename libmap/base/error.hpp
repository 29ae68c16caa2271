// The errors of rankmap: one root, one subclass a cause, each with its exit code (DESIGN: exit
// codes).
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace rankmap {

enum class ExitCode : int {
  ok = 0,
  infeasible = 1,     // no placement exists, or a check says no
  usage = 2,          // the command line is wrong
  bad_input = 3,      // a file or text is wrong; the message says where
  not_available = 4,  // right in itself, but not here: a missing library, device or permission
  system = 5,         // the operating system refused
  bug = 70,
};

class Error : public std::runtime_error {
 public:
  Error(ExitCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
  ExitCode code() const { return code_; }

 private:
  ExitCode code_;
};

class Infeasible : public Error {
 public:
  explicit Infeasible(const std::string& message) : Error(ExitCode::infeasible, message) {}
};

class UsageError : public Error {
 public:
  explicit UsageError(const std::string& message) : Error(ExitCode::usage, message) {}
  // `unknown strategy "fast", expected one of: exact, linear`
  static UsageError unknown(std::string_view what, std::string_view found,
                            const std::vector<std::string>& expected);
};

// Where in a text something was found. Lines and columns count from 1; 0 means the text as a whole.
struct TextPosition {
  std::string source;  // file name, "pattern", "-" for standard input ...
  std::size_t line = 0;
  std::size_t column = 0;
};

// `file:line:column: what was found, and what was expected`
class InputError : public Error {
 public:
  InputError(const TextPosition& where, const std::string& message);
  const TextPosition& where() const { return where_; }
  const std::string& plain_message() const { return plain_message_; }  // without the position

 private:
  TextPosition where_;
  std::string plain_message_;
};

class NotAvailable : public Error {
 public:
  explicit NotAvailable(const std::string& message) : Error(ExitCode::not_available, message) {}
};

class SystemError : public Error {
 public:
  explicit SystemError(const std::string& message) : Error(ExitCode::system, message) {}
  // `cannot open "x": No such file or directory`; errno_value as set by the failed call.
  static SystemError from_errno(std::string_view action, std::string_view object, int errno_value);
};

class Bug : public Error {
 public:
  explicit Bug(const std::string& message) : Error(ExitCode::bug, message) {}
};

}  // namespace rankmap
