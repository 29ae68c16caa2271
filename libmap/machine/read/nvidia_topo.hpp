// `nvidia-smi topo -m` as pasted: tabs or blanks, markdown, comments, colours, other output around.
#pragma once

#include "libmap/machine/reader.hpp"

namespace rankmap {

// Also true for -p2p matrices, which read_nvidia_topo() refuses with the reason.
bool recognises_nvidia_topo(std::string_view text);

// The first -m table of the text. GPU names, uuids and NVLink speeds come from the output of
// `nvidia-smi nvlink -s` in options.nvlink_text, else in the same text. Limits: 256 GPUs, 1024
// devices. Missing NIC rows make the model partial. InputError: as parse_topo_table(), and a
// nvlink_text that is no such output.
NodeModel read_nvidia_topo(std::string_view text, const std::string& source,
                           const ReaderOptions& options);

}  // namespace rankmap
