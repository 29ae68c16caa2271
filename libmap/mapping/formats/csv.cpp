// The map as a table: rank,host,gpu,gpu_id,nic,cpus,cores,memory.
#include "libmap/base/text.hpp"
#include "libmap/mapping/formats/formats.hpp"
#include "libmap/mapping/formats/layout.hpp"

namespace rankmap {
namespace {

std::string field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == text.npos) return text;
  std::string result = "\"";
  for (const char c : text) result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + "\"";
}

std::string memory_of(const MapRow& row) {
  if (row.memory_nodes.empty()) return "";
  return (row.memory_policy.empty() ? "preferred" : row.memory_policy) + ":" +
         row.memory_nodes.to_string();
}

}  // namespace

Export write_csv(const MapFile& map, const ExportOptions& options) {
  Export result;
  result.text = "rank,host,gpu,gpu_id,nic,cpus,cores,memory\n";
  for (const MapRow& row : map.rows) {
    const std::vector<std::string> fields = {std::to_string(row.rank),
                                             row.host,
                                             row.gpu == none ? "" : std::to_string(row.gpu),
                                             row.gpu_id,
                                             row.nic,
                                             row.cpus.to_string(),
                                             row.cores.to_string(),
                                             memory_of(row)};
    std::vector<std::string> quoted_fields;
    for (const std::string& text : fields) quoted_fields.push_back(field(text));
    result.text += join(quoted_fields, ",") + "\n";
  }
  result.file_name = options.file_name;
  result.command = "rankmap run --map " + shell_word(options.map_path) + " -- mpirun -np " +
                   std::to_string(map.rows.size()) + " " + options.program;
  result.notes.emplace_back(
      "the table carries all columns of the map, for people and programs; no launcher reads it");
  return result;
}

}  // namespace rankmap
