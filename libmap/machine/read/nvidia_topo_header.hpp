// Lines of a pasted `nvidia-smi topo -m`: cleaning, tokens, and the header line.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rankmap {

// Without escape sequences, the padding that a terminal wraps with, quote and comment marks at the
// start, and blanks before the first word. Tabs at the start and end stay.
std::string cleaned_topo_line(std::string_view line);

bool is_gpu_name(std::string_view word);    // GPU0, GPU12
bool is_topo_token(std::string_view word);  // X, NV12, PIX, SYS, ... N/A
bool is_p2p_token(std::string_view word);   // OK, CNS, ... of `topo -p2p`
bool is_nic_name(std::string_view word);    // NIC0, mlx5_0, rocep80s0 ...

enum class TopoColumn { label, device, cpu_affinity, numa_affinity, gpu_numa_id, other };

struct TopoHeader {
  bool pipes = false;                // a markdown table: columns by their place
  std::vector<TopoColumn> columns;   // pipes: every column; else devices, then titles
  std::vector<std::string> devices;  // GPUs, then NICs
  std::size_t gpus = 0;
};

// The cells between the pipes of a markdown table, trimmed of blanks, '*' and '`'.
std::vector<std::string> pipe_cells(std::string_view line);

// nullopt: not a header. The line is a cleaned one; other text may stand before the first GPU.
std::optional<TopoHeader> parse_topo_header(std::string_view line);

}  // namespace rankmap
