// Mappings in the words of launchers and others, read back to be scored.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "libmap/machine/machine.hpp"
#include "libmap/mapping/mapping.hpp"

namespace rankmap {

struct MapFormat {
  std::string_view name;  // as `--format` takes it
  std::string_view summary;
  bool (*recognises)(std::string_view text);
  Mapping (*read)(std::string_view text, const std::string& source, const Machine& machine);
};

// rankmap, csv, rankfile, bluegene, rank-order, hostfile; the first that recognises a text reads it.
std::span<const MapFormat> map_formats();

// `format` "" is found by the content. InputError with source:line:column; UsageError: unknown format.
Mapping read_mapping(std::string_view text, const std::string& source, std::string_view format,
                     const Machine& machine);

}  // namespace rankmap
