// A place that moves through a text and knows its line and column: the base of every parser.
#pragma once

#include <string>
#include <string_view>

#include "libmap/base/error.hpp"

namespace rankmap {

// The text must outlive the cursor. `source` is how errors name the text.
class Cursor {
 public:
  Cursor(std::string source, std::string_view text) : source_(std::move(source)), text_(text) {}

  bool at_end() const { return offset_ >= text_.size(); }
  char peek() const { return at_end() ? '\0' : text_[offset_]; }
  std::string_view rest() const { return text_.substr(offset_); }
  std::size_t offset() const { return offset_; }
  const std::string& source() const { return source_; }

  char next();                 // the character passed over; '\0' at the end
  bool accept(char expected);  // passes over it if it is there
  void expect(char expected);  // InputError if it is not there
  std::string_view take_until(std::string_view stops);  // up to, without, any character of stops
  std::string_view take_word();  // letters, digits, '_' and '-'; may be empty
  void skip_blanks();            // blanks and tabs, not line ends

  TextPosition position() const { return {source_, line_, column_}; }
  // InputError at the present place, or at an earlier one.
  [[noreturn]] void fail(const std::string& message) const { fail_at(position(), message); }
  [[noreturn]] static void fail_at(const TextPosition& where, const std::string& message) {
    throw InputError(where, message);
  }

 private:
  std::string source_;
  std::string_view text_;
  std::size_t offset_ = 0;
  std::size_t line_ = 1;
  std::size_t column_ = 1;
};

}  // namespace rankmap
