// The table of topology formats, in the order in which they are tried.
#include "libmap/machine/reader.hpp"

#include <array>

#include "libmap/base/error.hpp"
#include "libmap/base/text.hpp"
#include "libmap/machine/json/machine_json.hpp"
#include "libmap/machine/read/lstopo_text.hpp"
#include "libmap/machine/read/nvidia_topo.hpp"
#include "libmap/machine/read/nvlink_status.hpp"
#include "libmap/machine/read/rocm_smi.hpp"
#include "libmap/machine/read/xpu_smi.hpp"
#include "libmap/machine/xml/hwloc_xml.hpp"
#include "libmap/machine/xml/nccl_xml.hpp"

namespace rankmap {
namespace {

// A table of `nvidia-smi topo -m` may have the output of `nvlink -s` beside it, so it is tried first.
std::span<const NodeReader> rows() {
  static const std::array table = {
      NodeReader{"rankmap-json", "rankmap's own machine format", recognises_machine_json,
                 read_machine_json},
      nccl_xml_reader,
      hwloc_xml_reader,
      NodeReader{"nvidia-smi-topo", "nvidia-smi topo -m", recognises_nvidia_topo, read_nvidia_topo},
      NodeReader{"rocm-smi", "rocm-smi --showtopo", recognises_rocm_smi, read_rocm_smi},
      NodeReader{"xpu-smi", "xpu-smi topology -m", recognises_xpu_smi, read_xpu_smi},
      NodeReader{"nvidia-smi-nvlink", "nvidia-smi nvlink -s (only beside a topology)",
                 recognises_nvlink_status, read_nvlink_status},
      NodeReader{"lstopo-text", "lstopo's text (refused: export XML)", recognises_lstopo_text,
                 read_lstopo_text},
  };
  return table;
}

std::string names_of_formats() {
  std::string names;
  for (const NodeReader& row : rows()) names += (names.empty() ? "" : ", ") + std::string(row.name);
  return names;
}

// The switches of a cluster are no machine by themselves.
std::string advice_for(std::string_view text, const std::string& source) {
  for (const std::string_view mark : {"SwitchName=", "BlockName=", "topology:"})
    if (text.find(mark) != text.npos)
      return "; if these are the switches of a cluster, write @" + source + " or MACHINE@" + source;
  return "";
}

}  // namespace

std::span<const NodeReader> node_readers() {
  return rows();
}

NodeModel read_node_model(std::string_view text, const std::string& source,
                          const ReaderOptions& options) {
  if (trim(text).empty())
    throw InputError({source, 0, 0},
                     "the text is empty, expected one of the formats " + names_of_formats());
  for (const NodeReader& row : rows())
    if (row.recognises(text)) return row.read(text, source, options);
  throw InputError({source, 1, 1},
                   "no topology format is recognised in this text, expected one of " +
                       names_of_formats() + advice_for(text, source));
}

}  // namespace rankmap
