// The output of `nvidia-smi nvlink -s`: how many NVLinks of each GPU are up, and how fast they are.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "libmap/machine/reader.hpp"

namespace rankmap {

struct NvlinkStatus {
  int gpu = none;             // index; none: links without a GPU line above them
  std::string name;           // "NVIDIA A100-SXM4-80GB", or ""
  std::string uuid;           // "GPU-...", or "" (old drivers)
  int links_seen = 0;         // lines "Link k: ..."
  int active_links = 0;       // those that print a speed
  double gbps = 0;            // the fastest printed speed of one link, one direction; 0: none
  bool all_inactive = false;  // "... all links are inActive"
  bool cut = false;           // lines left out ("...")
};

// One row a GPU line, in order; lines of other kinds are passed over. A text without any gives no
// rows. O(text).
std::vector<NvlinkStatus> find_nvlink_status(std::string_view text);

// The same for a text that must be this output: InputError when it is empty or has no link line.
std::vector<NvlinkStatus> parse_nvlink_status(std::string_view text, const std::string& source);

bool recognises_nvlink_status(std::string_view text);
// Never a machine by itself: InputError with the advice to give it beside the topology.
NodeModel read_nvlink_status(std::string_view text, const std::string& source,
                             const ReaderOptions& options);

}  // namespace rankmap
