// A loop whose turns are independent, on several threads.
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace rankmap {

// body(0) .. body(count - 1), each once, in any order. The first exception that a turn throws is thrown
// again when all threads are done.
inline void parallel_for(std::size_t count, int threads,
                         const std::function<void(std::size_t)>& body) {
  std::atomic<std::size_t> next = 0;
  std::exception_ptr failed;
  std::mutex failing;
  const auto work = [&] {
    try {
      for (std::size_t i = next++; i < count; i = next++) body(i);
    } catch (...) {
      const std::lock_guard lock(failing);
      if (!failed) failed = std::current_exception();
      next = count;
    }
  };
  {
    std::vector<std::jthread> helpers;
    for (std::size_t i = 1; i < count && static_cast<int>(i) < threads; ++i)
      helpers.emplace_back(work);
    work();
  }
  if (failed) std::rethrow_exception(failed);
}

}  // namespace rankmap
