// The folder beside a record in which the processes of a job leave what they did with NCCL.
#pragma once

#include <string>
#include <vector>

namespace rankmap::cli {

std::string nccl_folder_of(const std::string& record);

// The parts in it, by name; none where there is no folder.
std::vector<std::string> nccl_parts_in(const std::string& folder);

// Removes parts, whole and unfinished ones, and then the folder where nothing else is in it.
// SystemError where a part would stay.
void remove_nccl_parts(const std::string& folder);

}  // namespace rankmap::cli
