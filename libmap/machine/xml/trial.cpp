#include "libmap/machine/xml/trial.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "libmap/base/error.hpp"

namespace rankmap {
namespace {

constexpr unsigned longest_seconds = 60;
constexpr rlim_t most_cpu_seconds = 20;
constexpr rlim_t most_memory_bytes = rlim_t{8} << 30;

void limit(__rlimit_resource resource, rlim_t value) {
  const rlimit both = {value, value};
  setrlimit(resource, &both);
}

[[noreturn]] void run_child(const std::function<void()>& work, int report) {
  for (const int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGALRM})
    std::signal(signal, SIG_DFL);
  const int nowhere = open("/dev/null", O_WRONLY);
  if (nowhere >= 0) {
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
  }
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, most_cpu_seconds);
#ifndef __SANITIZE_ADDRESS__  // which reserves terabytes of addresses
  limit(RLIMIT_AS, most_memory_bytes);
#endif
  alarm(longest_seconds);
  try {
    work();
  } catch (...) {  // the parent meets it again
  }
  const bool told = write(report, "+", 1) == 1;
  _exit(told ? 0 : 1);
}

}  // namespace

bool ends_in_child(const std::function<void()>& work) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw SystemError::from_errno("make", "pipe", errno);
  const pid_t child = fork();
  if (child < 0) {
    const int why = errno;
    close(ends[0]);
    close(ends[1]);
    throw SystemError::from_errno("start", "child process", why);
  }
  if (child == 0) run_child(work, ends[1]);
  close(ends[1]);
  char report = 0;
  ssize_t got = 0;
  do {
    got = read(ends[0], &report, 1);
  } while (got < 0 && errno == EINTR);
  close(ends[0]);
  while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
  return got == 1;
}

}  // namespace rankmap
