#include "libmap/graph/reader.hpp"

#include <array>
#include <filesystem>
#include <system_error>

#include "libmap/base/error.hpp"
#include "libmap/base/files.hpp"
#include "libmap/base/text.hpp"
#include "libmap/graph/foreign/formats.hpp"
#include "libmap/graph/foreign/nccl_parts.hpp"

namespace rankmap {
namespace {

constexpr Bytes largest_file = Bytes{1} << 30;

constexpr std::array formats = {
    GraphFormatRow{"edge list", "rankmap's own list of edges (\"# rankmap comm 1\")", is_edge_list,
                   read_edge_list},
    GraphFormatRow{"Open MPI monitoring",
                   "what Open MPI's monitoring wrote (.prof, or their folder)", is_monitoring,
                   read_monitoring},
    GraphFormatRow{"TAU", "a folder of TAU's profiles with TAU_COMM_MATRIX=1", is_tau,
                   refuse_tau_file},
    GraphFormatRow{"Intel APS", "a table of aps-report -x", is_aps, read_aps},
    GraphFormatRow{"IPM", "the XML of IPM with IPM_LOG=full", is_ipm, read_ipm},
    GraphFormatRow{"NCCL inspector", "a log of NCCL's inspector plugin, or their folder",
                   is_nccl_inspector, read_nccl_inspector},
    GraphFormatRow{"NCCL parts",
                   "what rankmap's recorder of NCCL left of a process, or their folder",
                   is_nccl_part, read_nccl_part},
    GraphFormatRow{"mpiP", "mpiP's report (refused: it names no peers)", is_mpip, refuse_mpip},
    GraphFormatRow{"dense matrix", "a square table of bytes from row to column (.mat)",
                   is_dense_matrix, read_dense_matrix},
};

[[noreturn]] void refuse(std::string_view content, const std::string& source) {
  std::string expected;
  for (const GraphFormatRow& row : formats)
    expected += (expected.empty() ? "" : ", or ") + std::string(row.summary);
  if (trim(content).empty())
    throw InputError({source, 0, 0}, "the communication graph is empty, expected " + expected);
  const std::string_view first = trim(content.substr(0, content.find('\n')));
  throw InputError({source, 1, 1}, "found " + rankmap::quoted(first) + ", expected " + expected);
}

}  // namespace

std::span<const GraphFormatRow> graph_formats() {
  return formats;
}

CommGraph parse_comm_graph(std::string_view content, const std::string& source) {
  for (const GraphFormatRow& row : formats)
    if (row.recognises(content)) return row.read(content, source);
  refuse(content, source);
}

CommGraph read_comm_graph(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) return read_recording_folder(path);
  return parse_comm_graph(read_text(path, largest_file), path);
}

}  // namespace rankmap
