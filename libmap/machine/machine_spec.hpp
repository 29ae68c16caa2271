// SPEC -> Machine: a file of any format, a name in share/machines, NAMExCOUNT, `local`, a network.
#pragma once

#include <string>
#include <vector>

#include "libmap/machine/machine.hpp"
#include "libmap/machine/reader.hpp"

namespace rankmap {

struct MachineOptions {
  std::string share_directory;  // of machines/NAME.json and networks/NAME.txt; "" : none
  ReaderOptions reader;
  std::vector<std::string> hosts;  // names of the nodes, or empty
  NearCores near_cores = NearCores::divided;
};

// UsageError: no such file, name or network (lists the names); InputError: a file is refused;
// NotAvailable: detection is not possible here. "-" reads standard input.
Machine read_machine(const std::string& spec, const MachineOptions& options);

// The names in share_directory/machines, sorted.
std::vector<std::string> machine_names(const std::string& share_directory);
// The names in share_directory/networks, sorted: NODE@NAME, or @NAME with plain slots.
std::vector<std::string> network_names(const std::string& share_directory);

}  // namespace rankmap
