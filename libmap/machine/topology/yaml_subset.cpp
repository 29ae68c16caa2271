#include "libmap/machine/topology/yaml_subset.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "libmap/base/text.hpp"

namespace rankmap {
namespace {

struct Line {
  std::size_t number;
  std::size_t indent;  // blanks before the content
  std::string_view content;
};

// Where a comment begins: '#' at the start or behind a blank, not between quotes.
std::size_t comment_in(std::string_view text) {
  char quote = '\0';
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char before = i == 0 ? ' ' : text[i - 1];
    const bool opens = before == ' ' || before == '[' || before == ',';
    if (quote != '\0') {
      if (text[i] == quote) quote = '\0';
    } else if ((text[i] == '"' || text[i] == '\'') && opens) {
      quote = text[i];
    } else if (text[i] == '#' && (before == ' ' || before == '\t')) {
      return i;
    }
  }
  return text.size();
}

class Reader {
 public:
  Reader(std::string_view text, const std::string& source) : source_(source) {
    std::size_t number = 0;
    for (const std::string_view line : split_lines(text)) add_line(line, ++number);
  }

  YamlNode read() {
    if (lines_.empty()) throw InputError({source_, 0, 0}, "the text is empty, expected a list");
    YamlNode node = block(lines_[0].indent, 0);
    if (next_ < lines_.size()) fail(lines_[next_], 0, "expected the indentation of a line before");
    return node;
  }

 private:
  [[noreturn]] void fail(const Line& line, std::size_t offset, const std::string& what) const {
    throw InputError(position(line, offset), what);
  }
  TextPosition position(const Line& line, std::size_t offset) const {
    return {source_, line.number, line.indent + offset + 1};
  }

  void add_line(std::string_view line, std::size_t number) {
    line = line.substr(0, comment_in(line));
    if (trim(line).empty()) return;
    if (line == "---" && lines_.empty()) return;
    const std::size_t indent = line.find_first_not_of(' ');
    const Line row{number, indent, trim(line.substr(indent))};
    if (line[indent] == '\t') fail(row, 0, "found a tab, expected blanks before a line");
    if (row.content == "---" || row.content == "...")
      fail(row, 0, "found a second document, expected one");
    lines_.push_back(row);
  }

  static bool is_item(std::string_view content) {
    return content == "-" || content.starts_with("- ");
  }

  // Lines of this indentation and what is below them.
  YamlNode block(std::size_t indent, int depth) {
    const Line& line = lines_[next_];
    if (depth > deepest_yaml)
      fail(line, 0, "nested deeper than " + std::to_string(deepest_yaml) + " levels");
    if (is_item(line.content)) return list(indent, depth);
    if (key_end(line.content) != std::string_view::npos) return mapping(indent, depth);
    YamlNode node = value(line, 0, line.content);
    ++next_;
    return node;
  }

  bool more(std::size_t indent) {
    if (next_ >= lines_.size() || lines_[next_].indent < indent) return false;
    if (lines_[next_].indent > indent)
      fail(lines_[next_], 0, "expected the indentation of a line before");
    return true;
  }

  // What stands behind "- " is a line of its own, indented as it stands.
  YamlNode list(std::size_t indent, int depth) {
    YamlNode node;
    node.kind = YamlNode::Kind::list;
    node.where = position(lines_[next_], 0);
    while (more(indent) && is_item(lines_[next_].content)) {
      Line& line = lines_[next_];
      const std::size_t offset = line.content.find_first_not_of(' ', 1);
      if (offset == std::string_view::npos) {
        ++next_;
        node.items.push_back(below(indent + 1, position(line, 0), depth));
        continue;
      }
      line.content.remove_prefix(offset);
      line.indent += offset;
      node.items.push_back(block(line.indent, depth + 1));
    }
    return node;
  }

  // A block of at least this indentation, or nothing.
  YamlNode below(std::size_t least, const TextPosition& where, int depth) {
    if (next_ < lines_.size() && lines_[next_].indent >= least)
      return block(lines_[next_].indent, depth + 1);
    YamlNode node;
    node.where = where;
    return node;
  }

  YamlNode mapping(std::size_t indent, int depth) {
    YamlNode node;
    node.kind = YamlNode::Kind::mapping;
    node.where = position(lines_[next_], 0);
    std::set<std::string> keys;
    while (more(indent) && !is_item(lines_[next_].content)) {
      const Line line = lines_[next_];
      const std::size_t end = key_end(line.content);
      if (end == std::string_view::npos || end == 0) fail(line, 0, "expected KEY: VALUE");
      YamlNode key = value(line, 0, trim(line.content.substr(0, end)));
      if (key.kind != YamlNode::Kind::word) fail(line, 0, "expected a word before ':'");
      if (!keys.insert(key.word).second)
        fail(line, 0, "found " + rankmap::quoted(key.word) + " again, expected each key once");
      ++next_;
      const std::size_t start = line.content.find_first_not_of(' ', end + 1);
      YamlNode held = start == std::string_view::npos
                          ? held_by(indent, key.where, depth)
                          : value(line, start, line.content.substr(start));
      node.entries.emplace_back(std::move(key), std::move(held));
    }
    return node;
  }

  // A list may stand at the indentation of its key.
  YamlNode held_by(std::size_t indent, const TextPosition& where, int depth) {
    const bool beside =
        next_ < lines_.size() && lines_[next_].indent == indent && is_item(lines_[next_].content);
    return below(beside ? indent : indent + 1, where, depth);
  }

  // The ':' behind a key, followed by a blank or nothing.
  static std::size_t key_end(std::string_view content) {
    std::size_t from = 0;
    if (content.front() == '"' || content.front() == '\'') {
      from = content.find(content.front(), 1);
      if (from == std::string_view::npos) return from;
    }
    for (std::size_t i = from; i < content.size(); ++i)
      if (content[i] == ':' && (i + 1 == content.size() || content[i + 1] == ' ')) return i;
    return std::string_view::npos;
  }

  YamlNode value(const Line& line, std::size_t offset, std::string_view text) const {
    struct Refused {
      char first;
      const char* what;
    };
    static constexpr std::array refused = {
        Refused{'&', "an anchor"},       Refused{'*', "an alias"},
        Refused{'!', "a tag"},           Refused{'|', "a block of text"},
        Refused{'>', "a block of text"}, Refused{'{', "a mapping in braces"},
        Refused{'?', "a complex key"},   Refused{'%', "a directive"},
        Refused{'@', "a reserved mark"}, Refused{'`', "a reserved mark"}};
    for (const Refused& row : refused)
      if (text.front() == row.first)
        fail(line, offset,
             std::string("found ") + row.what + ", expected a plain word, a list or KEY: VALUE");
    YamlNode node;
    node.where = position(line, offset);
    if (text.front() == '[') return flow_list(line, offset, text);
    node.kind = YamlNode::Kind::word;
    node.word = word(line, offset, text);
    return node;
  }

  YamlNode flow_list(const Line& line, std::size_t offset, std::string_view text) const {
    YamlNode node;
    node.kind = YamlNode::Kind::list;
    node.where = position(line, offset);
    if (text.back() != ']') fail(line, offset, "found '[' without ']' at the end of the line");
    const std::string_view inside = text.substr(1, text.size() - 2);
    if (trim(inside).empty()) return node;
    for (const std::string_view part : split(inside, ',')) {
      const std::size_t blanks = std::min(part.find_first_not_of(' '), part.size());
      const auto start = static_cast<std::size_t>(part.data() - text.data()) + blanks;
      if (trim(part).empty() || part.find_first_of("[]{}") != part.npos)
        fail(line, offset + start, "expected words with ',' between");
      YamlNode item;
      item.kind = YamlNode::Kind::word;
      item.where = position(line, offset + start);
      item.word = word(line, offset + start, trim(part));
      node.items.push_back(std::move(item));
    }
    return node;
  }

  std::string word(const Line& line, std::size_t offset, std::string_view text) const {
    const char quote = text.front();
    if (quote != '"' && quote != '\'') return std::string(text);
    if (text.size() < 2 || text.back() != quote)
      fail(line, offset, "found a quote without its end in the line");
    text = text.substr(1, text.size() - 2);
    if (text.find_first_of("\\\"'") != text.npos)
      fail(line, offset, "found a quote or backslash between quotes, expected plain letters");
    return std::string(text);
  }

  std::string source_;
  std::vector<Line> lines_;
  std::size_t next_ = 0;
};

}  // namespace

const YamlNode* YamlNode::find(std::string_view key) const {
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [&](const auto& entry) { return entry.first.word == key; });
  return found == entries.end() ? nullptr : &found->second;
}

YamlNode read_yaml_subset(std::string_view text, const std::string& source) {
  return Reader(text, source).read();
}

}  // namespace rankmap
