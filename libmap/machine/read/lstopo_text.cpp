#include "libmap/machine/read/lstopo_text.hpp"

#include <array>

#include "libmap/base/error.hpp"
#include "libmap/base/text.hpp"

namespace rankmap {
namespace {

constexpr std::array object_words = {"Package", "Socket", "NUMANode", "Group", "Die",
                                     "Core",    "PU",     "L3",       "L2",    "Cluster"};

bool starts_machine(std::string_view line) {
  return line.starts_with("Machine (") || line.starts_with("Machine L#");
}

bool starts_object(std::string_view line) {
  for (const std::string_view word : object_words)
    if (line.starts_with(word) && line.find("L#") != std::string_view::npos) return true;
  return false;
}

}  // namespace

bool recognises_lstopo_text(std::string_view text) {
  if (text.find("Machine ") == std::string_view::npos) return false;
  bool machine = false;
  for (const std::string_view raw : split_lines(text)) {
    const std::string_view line = trim(raw);
    if (machine && starts_object(line)) return true;
    machine = machine || starts_machine(line);
  }
  return machine;
}

NodeModel read_lstopo_text(std::string_view, const std::string& source, const ReaderOptions&) {
  throw InputError({source, 0, 0},
                   "found lstopo's text, which leaves out what rankmap needs; expected its XML: "
                   "`lstopo --of xml FILE.xml` (hwloc 3: add --export-xml-flags v2)");
}

}  // namespace rankmap
