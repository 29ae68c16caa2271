// The text that lstopo prints: recognised, and refused with the advice to export XML.
#pragma once

#include "libmap/machine/reader.hpp"

namespace rankmap {

bool recognises_lstopo_text(std::string_view text);
NodeModel read_lstopo_text(std::string_view text, const std::string& source,
                           const ReaderOptions& options);  // always InputError

}  // namespace rankmap
