#include "libmap/graph/foreign/xml_tags.hpp"

#include <array>

#include "libmap/base/text.hpp"

namespace rankmap {
namespace {

constexpr std::string_view blanks = " \t\r\n";
constexpr std::string_view name_ends = " \t\r\n=\"'<>";

struct PassedOver {
  std::string_view begin;
  std::string_view end;
};

// In this order: the last begins the others too.
constexpr std::array passed_over = {PassedOver{"<!--", "-->"}, PassedOver{"<![CDATA[", "]]>"},
                                    PassedOver{"<?", "?>"}, PassedOver{"<!", ">"}};

}  // namespace

void XmlTags::advance(std::size_t to) {
  const std::string_view passed = text_.substr(at_, to - at_);
  for (std::size_t end = passed.find('\n'); end != passed.npos; end = passed.find('\n', end + 1)) {
    ++line_;
    line_begin_ = at_ + end + 1;
  }
  at_ = to;
}

bool XmlTags::pass_over() {
  for (const PassedOver& row : passed_over) {
    if (!text_.substr(at_).starts_with(row.begin)) continue;
    const std::size_t end = text_.find(row.end, at_ + row.begin.size());
    if (end == text_.npos)
      fail("found " + quoted(row.begin) + ", expected " + quoted(row.end) + " after it");
    advance(end + row.end.size());
    return true;
  }
  return false;
}

bool XmlTags::next() {
  for (;;) {
    const std::size_t begin = text_.find('<', at_);
    if (begin == text_.npos) return false;
    advance(begin);
    begin_line_ = line_;
    begin_column_ = at_ - line_begin_ + 1;
    if (!pass_over()) break;
  }
  const std::size_t name_begin = at_ + 1;
  const std::size_t name_end = text_.find_first_of(name_ends, name_begin);
  if (name_end == text_.npos) fail("a tag that does not end, expected \">\"");
  name_ = text_.substr(name_begin, name_end - name_begin);
  if (name_.size() > 1 && name_.ends_with('/')) name_.remove_suffix(1);
  if (name_.empty() || name_ == "/") fail("found \"<\", expected the name of a tag after it");
  attributes_.clear();
  advance(name_end);
  read_attributes();
  return true;
}

void XmlTags::read_attributes() {
  for (;;) {
    const std::size_t from = text_.find_first_not_of(blanks, at_);
    if (from == text_.npos) fail("a tag that does not end, expected \">\"");
    advance(from);
    if (text_[from] == '>' || text_.substr(from).starts_with("/>")) {
      advance(text_.find('>', from) + 1);
      return;
    }
    const std::size_t name_end = text_.find_first_of(name_ends, from);
    const std::size_t quote = name_end == text_.npos ? text_.npos : name_end + 1;
    const bool good = quote != text_.npos && name_end != from && text_[name_end] == '=' &&
                      quote < text_.size() && (text_[quote] == '"' || text_[quote] == '\'');
    const std::size_t end = good ? text_.find(text_[quote], quote + 1) : text_.npos;
    if (end == text_.npos)
      throw InputError(position(line_, from - line_begin_ + 1),
                       "found " + quoted(text_.substr(from, 20)) +
                           ", expected NAME=\"VALUE\" or the end of the tag");
    advance(quote + 1);
    attributes_.push_back({text_.substr(from, name_end - from),
                           text_.substr(quote + 1, end - quote - 1),
                           {{}, line_, quote + 1 - line_begin_ + 1}});
    advance(end + 1);
  }
}

const XmlAttribute* XmlTags::find(std::string_view attribute) const {
  for (const XmlAttribute& each : attributes_)
    if (each.name == attribute) return &each;
  return nullptr;
}

}  // namespace rankmap
