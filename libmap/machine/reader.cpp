// The table of topology formats, in the order in which they are tried.
#include "libmap/machine/reader.hpp"

#include <array>

#include "libmap/base/error.hpp"
#include "libmap/base/text.hpp"
#include "libmap/machine/machine_json.hpp"

namespace rankmap {
namespace {

const std::array rows = {
    NodeReader{"rankmap-json", "rankmap's own machine format", recognises_machine_json,
               read_machine_json},
};

std::string names_of_formats() {
  std::string names;
  for (const NodeReader& row : rows) names += (names.empty() ? "" : ", ") + std::string(row.name);
  return names;
}

}  // namespace

std::span<const NodeReader> node_readers() {
  return rows;
}

NodeModel read_node_model(std::string_view text, const std::string& source,
                          const ReaderOptions& options) {
  if (trim(text).empty())
    throw InputError({source, 0, 0},
                     "the text is empty, expected one of the formats " + names_of_formats());
  for (const NodeReader& row : rows)
    if (row.recognises(text)) return row.read(text, source, options);
  throw InputError(
      {source, 1, 1},
      "no topology format is recognised in this text, expected one of " + names_of_formats());
}

}  // namespace rankmap
