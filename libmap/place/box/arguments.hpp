// The words behind an operation of a box script, each with its place.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "libmap/base/error.hpp"

namespace rankmap {

struct BoxWord {
  std::string_view text;
  TextPosition where;
};

class BoxArguments {
 public:
  // `usage` is what errors tell: "tilt AXIS DIRECTION SLOPE".
  BoxArguments(std::vector<BoxWord> words, std::string usage, TextPosition where)
      : words_(std::move(words)), usage_(std::move(usage)), where_(std::move(where)) {}

  std::size_t count() const { return words_.size(); }
  // InputError at the first word too many, or at the operation.
  void expect_count(std::size_t least, std::size_t most) const;
  // A whole number, or InputError at the word.
  std::int64_t number(std::size_t i) const;
  std::uint64_t unsigned_number(std::size_t i) const;
  // A number of an axis, or its letter: x is 0, y 1, z, t, u, v.
  std::int64_t axis(std::size_t i) const;
  std::vector<std::int64_t> numbers(std::size_t first, std::size_t end) const;
  std::string word(std::size_t i) const { return std::string(words_[i].text); }
  const TextPosition& where(std::size_t i) const { return words_[i].where; }
  bool is_word(std::size_t i, std::string_view word) const { return words_[i].text == word; }
  [[noreturn]] void fail(std::size_t i, const std::string& expected) const;

 private:
  std::vector<BoxWord> words_;
  std::string usage_;
  TextPosition where_;
};

}  // namespace rankmap
