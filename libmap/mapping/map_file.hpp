// The map file (.rankmap): a mapping as people, the shim and every other subcommand read it.
// The record itself, its columns and limits, is described in libmap/wire/wire.h.
#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "libmap/base/cpu_set.hpp"
#include "libmap/base/ids.hpp"
#include "libmap/machine/machine.hpp"
#include "libmap/mapping/mapping.hpp"

namespace rankmap {

// Where one rank runs, complete in itself.
struct MapRow {
  Rank rank = 0;
  std::string host;            // "*": the machine is one nameless node
  int gpu = none;              // GPU index on its node (PCI order); none: a CPU slot
  std::string gpu_id;          // bus id or uuid, "" unknown
  std::vector<int> node_gpus;  // GPU indices of all ranks of this host, by local rank
  std::string nic;             // "" unknown
  CpuSet cpus;                 // OS numbers; empty: unknown, leave the rank's CPUs as they are
  CpuSet cores;                // the same as logical core numbers; empty: unknown
  CpuSet memory_nodes;         // OS numbers of NUMA nodes; empty: no policy
  std::string memory_policy;   // "preferred", "bind", or "" where memory_nodes is empty
  std::string vendor;          // "amd", "intel"; "" is NVIDIA
  int slot = none;             // index of the slot on its node; none: unknown
  std::string tile;            // Intel: device and tile as "3.1"; "" elsewhere

  friend bool operator==(const MapRow&, const MapRow&) = default;
};

struct MapFile {
  std::string machine;         // for people; cut where it does not fit the header
  std::string objective;       // likewise
  bool hosts_unnamed = false;  // hosts are the stand-ins node0, node1 ...
  std::vector<MapRow> rows;    // rows[r].rank == r

  friend bool operator==(const MapFile&, const MapFile&) = default;
};

// The text of a map file. Infeasible when a rank does not fit a line of 512 bytes or has a name
// that a column cannot hold; names the rank. O(ranks).
std::string write_map(const MapFile& map);

// The checksum in the header of such a text, 16 hex digits, as `rankmap-exec --sum` takes it. Bug: the
// text is not one of write_map or read_map.
std::string map_sum(std::string_view text);

// Reads and verifies a map file, checksum included. InputError with source:line:column.
MapFile read_map(std::string_view text, const std::string& source);

// The rows of a mapping. Several ranks on one slot divide its cpus by whole cores in ascending rank
// order, remainder to the first, when there are at least as many cores as ranks; else they share
// them. Bug when the mapping does not fit the machine. Of `most_rows` ranks from the first; with fewer than
// all, lists of a host's GPUs are not complete. O(ranks + slots).
MapFile map_file_of(const Mapping& mapping, const Machine& machine, const std::string& objective,
                    Rank most_rows = std::numeric_limits<Rank>::max());

// The way back: hosts by name, or by order of appearance where the machine or the map has none;
// slots by GPU index, else by slot number, else by cpus. InputError when a row does not fit.
Mapping mapping_of(const MapFile& map, const Machine& machine);

// Several nodes without names: launching and exporting need with_hosts first.
bool has_nameless_hosts(const MapFile& map);

// The map with node0, node1 ... (or "*") replaced by hosts[0], hosts[1] ... UsageError: too few
// hosts, one twice, or a name that is empty or has blanks. A map with names of its own is an error.
MapFile with_hosts(MapFile map, const std::vector<std::string>& hosts);

// The hosts of a map in order of their first rank.
std::vector<std::string> hosts_of(const MapFile& map);

}  // namespace rankmap
