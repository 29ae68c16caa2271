// Lines of a text as fields that know their column; shared by the readers of graph files.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "libmap/base/error.hpp"

namespace rankmap {

struct Field {
  std::string_view text;
  std::size_t column;  // from 1
};

// Gives the lines of a text one by one, without copying it; it must outlive this.
class LineFields {
 public:
  LineFields(std::string_view text, std::string source) : rest_(text), source_(std::move(source)) {}

  // The next line that is neither blank nor begins with a character of `comments`, cut at runs of
  // `separators`. False at the end of the text.
  bool next(std::string_view comments, std::string_view separators) {
    while (take_line()) {
      const std::size_t begin = line_.find_first_not_of(" \t\r");
      if (begin == std::string_view::npos) continue;
      if (comments.find(line_[begin]) != std::string_view::npos) continue;
      cut(separators);
      if (!fields_.empty()) return true;
    }
    return false;
  }

  const std::vector<Field>& fields() const { return fields_; }
  std::string_view line() const { return line_; }
  std::size_t number() const { return number_; }
  TextPosition at(std::size_t column) const { return {source_, number_, column}; }
  [[noreturn]] void fail(const Field& field, const std::string& message) const {
    throw InputError(at(field.column), message);
  }

 private:
  bool take_line() {
    if (rest_.empty()) return false;
    const std::size_t end = rest_.find('\n');
    line_ = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    ++number_;
    return true;
  }

  void cut(std::string_view separators) {
    fields_.clear();
    std::size_t begin = line_.find_first_not_of(separators);
    while (begin != std::string_view::npos) {
      const std::size_t end = line_.find_first_of(separators, begin);
      fields_.push_back({line_.substr(begin, end - begin), begin + 1});
      begin = line_.find_first_not_of(separators, end);
    }
  }

  std::string_view rest_;
  std::string source_;
  std::string_view line_;
  std::vector<Field> fields_;
  std::size_t number_ = 0;
};

}  // namespace rankmap
