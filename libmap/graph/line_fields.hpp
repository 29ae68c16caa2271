// Lines of a text as fields that know their column; shared by the readers of graph files.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libmap/base/error.hpp"
#include "libmap/base/units.hpp"
#include "libmap/graph/text_input.hpp"

namespace rankmap {

struct Field {
  std::string_view text;
  std::size_t column;  // from 1
};

// A byte order mark, as some spreadsheets begin their files with.
inline constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

// A number of bytes as programs write it: "12", "12.0", "1.2e1". nullopt where it is not whole,
// negative, or more than 9.2e18.
std::optional<Bytes> whole_number(std::string_view text);

// Gives the lines of a text one by one; fields are valid until the next line is asked for.
class LineFields {
 public:
  LineFields(std::string_view text, std::string source) : input_(text, std::move(source)) {}
  explicit LineFields(TextInput&& input) : input_(std::move(input)) {}

  // The next line that is neither blank nor begins with a character of `comments`, cut at runs of
  // `separators`. False at the end of the text.
  bool next(std::string_view comments, std::string_view separators) {
    while (next_or_blank(comments, separators))
      if (!fields_.empty()) return true;
    return false;
  }

  // The same, but blank lines are lines: they have no fields.
  bool next_or_blank(std::string_view comments, std::string_view separators);

  // As next(), but every `separator` ends a field, so that fields may be empty; blanks and one pair
  // of double quotes around a field are taken off.
  bool next_split(std::string_view comments, char separator);

  const std::vector<Field>& fields() const { return fields_; }
  std::string_view line() const { return line_; }
  std::size_t number() const { return number_; }
  const std::string& source() const { return input_.name(); }
  TextPosition at(std::size_t column) const { return {source(), number_, column}; }
  [[noreturn]] void fail(const Field& field, const std::string& message) const {
    throw InputError(at(field.column), message);
  }
  [[noreturn]] void fail(const std::string& message) const {
    throw InputError({source(), 0, 0}, message);
  }

  // The field as an integer of low to high; InputError says that it is no `what` of these.
  std::int64_t integer(const Field& field, const char* what, std::int64_t low,
                       std::int64_t high) const;
  // The field as a whole number of bytes (whole_number), else InputError.
  Bytes bytes(const Field& field) const;

  // How many rows to reserve of `promised`, when each takes so many bytes of the text at least: no
  // promise of a header takes more memory than the text can fill.
  std::size_t room_for(std::uint64_t promised, std::size_t least_bytes) const;
  // How many lines there are, if all are as long as the next ones; 0 where the size is not known.
  std::size_t likely_lines();

 private:
  bool take_line(std::string_view comments);
  void use_separators(std::string_view separators);

  TextInput input_;
  std::string_view line_;
  std::vector<Field> fields_;
  std::size_t number_ = 0;
  std::string separators_;
  std::array<bool, 256> separates_{};
};

}  // namespace rankmap
