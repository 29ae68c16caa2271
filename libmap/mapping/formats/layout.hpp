// How the ranks of a map lie over its hosts, and the small texts that several launchers share.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "libmap/mapping/launcher.hpp"

namespace rankmap {

struct HostRanks {
  std::string host;
  std::vector<const MapRow*> rows;  // by local rank: ascending ranks
};

// Views the map, which must outlive it.
struct Layout {
  std::vector<HostRanks> hosts;
  bool equal = false;   // as many ranks on every host
  bool block = false;   // ranks run on from host to host
  bool cyclic = false;  // rank r is on host r mod hosts, until a host is full

  std::size_t ranks_per_host() const;  // the most
  bool single() const { return hosts.size() == 1; }
};

// Hosts in the order of their first rank: for launchers that take the order from us.
Layout layout_by_first_rank(const MapFile& map);
// Hosts in the natural order of their names (n2 before n10): for launchers with an order of their own.
Layout layout_by_name(const MapFile& map);
// Hosts in the order of options.hosts, without these by name.
Layout layout_in_given_order(const MapFile& map, const ExportOptions& options);

// Whether the i-th ranks of all hosts have the same cpus; the same GPU.
bool agree_on_cpus(const Layout& layout);
bool agree_on_gpus(const Layout& layout);
bool all_have_cpus(const MapFile& map);
bool all_have_gpus(const MapFile& map);

// Which node of the job each host is, from 0: nameless nodes tell it themselves, others stand in
// options.hosts, unused ones counted, or else are numbered in natural order. Infeasible: a stand-in for
// a name without its number.
std::map<std::string, std::size_t> host_numbers(const MapFile& map, const ExportOptions& options);

bool natural_less(std::string_view a, std::string_view b);

// "n[01-04,07],login": what expand_host_list reads, in the given order.
std::string compressed_hosts(const std::vector<std::string>& hosts);
std::vector<std::string> names_of(const Layout& layout);

// One word for a shell, quoted where needed.
std::string shell_word(const std::string& word);
// "rankmap exec --map FILE -- PROGRAM"
std::string wrapped_program(const std::string& map_path, const ExportOptions& options);

// "F00": bit i for CPU i, without leading zeros.
std::string hex_mask(const CpuSet& cpus);

// "# rankmap: MACHINE, OBJECTIVE; WHAT\n", in plain ASCII.
std::string comment_line(const MapFile& map, const std::string& what);

// "8 ranks on 2 hosts"
std::string sizes_of(const MapFile& map, const Layout& layout);

// The lines of a host file, "n0" a rank, in order of ranks.
std::string host_per_rank(const MapFile& map);

// "localhost" for the one nameless node.
std::string spelled_host(const std::string& host);

// Infeasible: a host whose name would mean something else in a command line or a file.
void check_host_names(const MapFile& map);

// "FILE carries the host of every rank; GPU, NIC ... are applied by the wrapper, rankmap exec, from M"
std::string carries_note(const std::string& carried, const std::string& applied,
                         const std::string& map_path);

}  // namespace rankmap
