// `xpu-smi topology -m` of versions 1 (pipes), 1.2 (blanks) and 2 (PIX, PXB, PHB instead of XL).
#pragma once

#include "libmap/machine/reader.hpp"

namespace rankmap {

inline constexpr std::size_t most_xpu_tiles = 256;

bool recognises_xpu_smi(std::string_view text);

// Every tile is a GPU; Gpu::package and Gpu::device are its card. The self token S becomes X. A
// copy without the header line takes the order of the columns from the rows. InputError: no rows, a
// damaged row (named by its tile), an asymmetric matrix, more tiles than the limit. O(text).
NodeModel read_xpu_smi(std::string_view text, const std::string& source,
                       const ReaderOptions& options);

}  // namespace rankmap
