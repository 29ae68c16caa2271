// Files that a machine's SPEC may name: those of share/ and the user's own.
#pragma once

#include <string>

namespace rankmap {

// A regular file, a pipe or a device, but no directory.
bool is_readable_file(const std::string& path);

// share_directory/FOLDER/NAME.EXTENSION where there is one; "": none, or NAME is no plain name.
std::string shared_file(const std::string& share_directory, const std::string& folder,
                        const std::string& name, const std::string& extension);

}  // namespace rankmap
