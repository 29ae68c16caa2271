#include "libmap/base/cursor.hpp"

#include "libmap/base/text.hpp"

namespace rankmap {
namespace {

bool is_word_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-';
}

}  // namespace

char Cursor::next() {
  if (at_end()) return '\0';
  const char c = text_[offset_++];
  if (c == '\n') {
    ++line_;
    column_ = 1;
  } else {
    ++column_;
  }
  return c;
}

bool Cursor::accept(char expected) {
  if (at_end() || peek() != expected) return false;
  next();
  return true;
}

void Cursor::expect(char expected) {
  if (accept(expected)) return;
  const std::string found = at_end() ? "the end of the text" : quoted(std::string(1, peek()));
  fail("found " + found + ", expected " + quoted(std::string(1, expected)));
}

std::string_view Cursor::take_until(std::string_view stops) {
  const std::size_t begin = offset_;
  while (!at_end() && stops.find(peek()) == std::string_view::npos) next();
  return text_.substr(begin, offset_ - begin);
}

std::string_view Cursor::take_word() {
  const std::size_t begin = offset_;
  while (!at_end() && is_word_character(peek())) next();
  return text_.substr(begin, offset_ - begin);
}

void Cursor::skip_blanks() {
  while (!at_end() && (peek() == ' ' || peek() == '\t')) next();
}

}  // namespace rankmap
