// The tags of an XML text one by one, without a tree: enough for reports of millions of elements.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libmap/base/error.hpp"

namespace rankmap {

struct XmlAttribute {
  std::string_view name;
  std::string_view value;  // as written, entities not replaced
  TextPosition where;      // of the value; its source is empty
};

// Gives start and end tags; text, comments, declarations and CDATA are passed over. The text must
// outlive this. Nesting is not checked.
class XmlTags {
 public:
  XmlTags(std::string_view text, std::string source) : text_(text), source_(std::move(source)) {}

  // The next tag; false at the end. InputError for what is not closed and for attributes that are
  // not NAME="VALUE".
  bool next();

  std::string_view name() const { return name_; }  // "task", or "/task" for an end
  const XmlAttribute* find(std::string_view attribute) const;
  TextPosition at() const { return position(begin_line_, begin_column_); }  // of the "<"
  [[noreturn]] void fail(const std::string& message) const { throw InputError(at(), message); }
  [[noreturn]] void fail(const XmlAttribute& attribute, const std::string& message) const {
    throw InputError({source_, attribute.where.line, attribute.where.column}, message);
  }

 private:
  TextPosition position(std::size_t line, std::size_t column) const {
    return {source_, line, column};
  }
  void advance(std::size_t to);
  bool pass_over();
  void read_attributes();

  std::string_view text_;
  std::string source_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  std::size_t line_begin_ = 0;
  std::size_t begin_line_ = 1;
  std::size_t begin_column_ = 1;
  std::string_view name_;
  std::vector<XmlAttribute> attributes_;
};

}  // namespace rankmap
