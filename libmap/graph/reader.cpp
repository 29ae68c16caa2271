#include "libmap/graph/reader.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

#include "libmap/base/error.hpp"
#include "libmap/base/text.hpp"
#include "libmap/graph/exchange/formats.hpp"
#include "libmap/graph/foreign/formats.hpp"
#include "libmap/graph/foreign/nccl_parts.hpp"
#include "libmap/graph/line_fields.hpp"

namespace rankmap {
namespace {

constexpr Bytes largest_file = Bytes{1} << 34;
constexpr Bytes largest_recording = Bytes{1} << 30;

template <CommGraph (*read)(std::string_view, const std::string&)>
CommGraph of_whole(TextInput& text) {
  return read(text.whole(largest_recording), text.name());
}

// Of the formats that can look alike, the first is the likelier one.
constexpr std::array formats = {
    GraphFormatRow{"edge list", "rankmap's own list of edges (\"# rankmap comm 1\")", "",
                   is_edge_list, read_edge_list},
    GraphFormatRow{"Open MPI monitoring",
                   "what Open MPI's monitoring wrote (.prof, or their folder)", ".prof",
                   is_monitoring, of_whole<read_monitoring>},
    GraphFormatRow{"TAU", "a folder of TAU's profiles with TAU_COMM_MATRIX=1", "", is_tau,
                   of_whole<refuse_tau_file>},
    GraphFormatRow{"Intel APS", "a table of aps-report -x", "", is_aps, of_whole<read_aps>},
    GraphFormatRow{"IPM", "the XML of IPM with IPM_LOG=full", ".xml", is_ipm, of_whole<read_ipm>},
    GraphFormatRow{"NCCL inspector", "a log of NCCL's inspector plugin, or their folder", "",
                   is_nccl_inspector, of_whole<read_nccl_inspector>},
    GraphFormatRow{"NCCL parts",
                   "what rankmap's recorder of NCCL left of a process, or their folder", "",
                   is_nccl_part, of_whole<read_nccl_part>},
    GraphFormatRow{"mpiP", "mpiP's report (refused: it names no peers)", "", is_mpip,
                   of_whole<refuse_mpip>},
    GraphFormatRow{"Matrix Market", "a Matrix Market file of coordinates (\"%%MatrixMarket\")",
                   ".mtx", is_matrix_market, read_matrix_market},
    GraphFormatRow{"dense matrix", "a square table of bytes from row to column (.mat)", ".mat",
                   is_dense_matrix, read_dense_matrix},
    GraphFormatRow{"Scotch", "a graph of Scotch (.grf)", ".grf .src", is_scotch, read_scotch},
    GraphFormatRow{"METIS", "a graph of METIS (.graph)", ".graph .metis", is_metis, read_metis},
    GraphFormatRow{"CSV", "CSV with the columns source,destination,bytes[,messages[,phase]]",
                   ".csv", is_csv, read_csv},
};

bool has_extension(std::string_view name, const GraphFormatRow& row) {
  const std::vector<std::string_view> extensions = split_words(row.extensions);
  const std::string lower = to_lower(name);
  return std::any_of(extensions.begin(), extensions.end(),
                     [&](std::string_view extension) { return lower.ends_with(extension); });
}

[[noreturn]] void refuse(std::string_view content, const std::string& source) {
  std::string expected;
  for (const GraphFormatRow& row : formats)
    expected += (expected.empty() ? "" : ", or ") + std::string(row.summary);
  if (trim(content).empty())
    throw InputError({source, 0, 0}, "the communication graph is empty, expected " + expected);
  const std::string_view first = trim(content.substr(0, content.find('\n')));
  throw InputError({source, 1, 1}, "found " + rankmap::quoted(first) + ", expected " + expected);
}

const GraphFormatRow& format_of(std::string_view head, const std::string& name) {
  const GraphFormatRow* chosen = nullptr;
  for (const GraphFormatRow& row : formats) {
    if (!row.recognises(head)) continue;
    if (has_extension(name, row)) return row;
    if (chosen == nullptr) chosen = &row;
  }
  if (chosen == nullptr) refuse(head, name);
  return *chosen;
}

CommGraph read(TextInput text) {
  const std::string name = text.name();
  text.skip(byte_order_mark);
  const GraphFormatRow& format = format_of(text.head(), name);
  try {
    return format.read(text);
  } catch (const UsageError& beyond_limits) {  // GraphBuilder's; here the file is to blame
    throw InputError({name, 0, 0}, beyond_limits.what());
  }
}

}  // namespace

std::span<const GraphFormatRow> graph_formats() {
  return formats;
}

CommGraph parse_comm_graph(std::string_view content, const std::string& source) {
  return read(TextInput(content, source));
}

CommGraph read_comm_graph(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) return read_recording_folder(path);
  return read(TextInput::open(path, largest_file));
}

}  // namespace rankmap
