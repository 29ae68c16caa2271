// Tries work on untrusted input in a child process first, where a foreign library may die of it.
#pragma once

#include <functional>

namespace rankmap {

// Whether the work came to an end (or threw) in a forked child within 20 s of CPU, 60 s of time and
// 8 GiB. The child's output is thrown away. SystemError when no child can be made.
bool ends_in_child(const std::function<void()>& work);

}  // namespace rankmap
