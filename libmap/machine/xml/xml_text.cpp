#include "libmap/machine/xml/xml_text.hpp"

#include <algorithm>
#include <pugixml.hpp>

#include "libmap/base/text.hpp"

namespace rankmap {
namespace {

// Past `closing`, or the whole rest where it is missing.
std::string_view after(std::string_view text, std::string_view closing) {
  const std::size_t end = text.find(closing);
  return end == std::string_view::npos ? std::string_view() : text.substr(end + closing.size());
}

std::string_view skip_doctype(std::string_view text) {
  const std::size_t stop = text.find_first_of("[>");
  if (stop == std::string_view::npos) return {};
  return text[stop] == '>' ? text.substr(stop + 1) : after(text.substr(stop), "]>");
}

void refuse_deep(std::string_view text, const std::string& source,
                 const pugi::xml_document& document) {
  int depth = 0;
  pugi::xml_node node = document;
  for (;;) {
    if (node.first_child()) {
      node = node.first_child();
      if (++depth > xml_depth_limit)
        throw InputError(xml_position(text, source, node.offset_debug()),
                         "elements nested deeper than " + std::to_string(xml_depth_limit));
      continue;
    }
    while (depth > 0 && !node.next_sibling()) {
      node = node.parent();
      --depth;
    }
    if (depth == 0) return;
    node = node.next_sibling();
  }
}

}  // namespace

std::string_view xml_root_name(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  for (;;) {
    text = trim(text);
    if (text.starts_with("<?")) {
      text = after(text, "?>");
    } else if (text.starts_with("<!--")) {
      text = after(text, "-->");
    } else if (text.starts_with("<!")) {
      text = skip_doctype(text);
    } else if (text.starts_with("<")) {
      return text.substr(1, text.find_first_of(" \t\r\n/>", 1) - 1);
    } else {
      return {};
    }
  }
}

TextPosition xml_position(std::string_view text, const std::string& source, std::ptrdiff_t offset) {
  const std::size_t end =
      std::min(static_cast<std::size_t>(std::max<std::ptrdiff_t>(offset, 0)), text.size());
  const std::string_view before = text.substr(0, end);
  const std::size_t line_start = before.rfind('\n') + 1;  // 0 where there is none: npos + 1
  const auto lines = std::count(before.begin(), before.end(), '\n');
  return {source, static_cast<std::size_t>(lines) + 1, end - line_start + 1};
}

void load_xml(std::string_view text, const std::string& source, pugi::xml_document& document) {
  if (text.size() > xml_size_limit)
    throw InputError({source, 0, 0}, "longer than the limit of " + format_bytes(xml_size_limit) +
                                         " for topology XML");
  const pugi::xml_parse_result result =
      document.load_buffer(text.data(), text.size(), pugi::parse_default, pugi::encoding_utf8);
  if (!result)
    throw InputError(xml_position(text, source, result.offset),
                     "not well-formed XML: " + to_lower(result.description()));
  refuse_deep(text, source, document);
}

}  // namespace rankmap
