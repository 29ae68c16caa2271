// Another program in our place: started, given our signals, waited for.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "libmap/base/error.hpp"

namespace rankmap::cli {

struct Child {
  std::vector<std::string> argv;
  std::vector<std::pair<std::string, std::string>> environment;  // on top of ours
  std::string output;  // file for what it says on stdout and stderr, with no input; "": ours
  bool stdout_to_stderr = false;
};

struct Ended {
  int code = 0;    // the program's own
  int signal = 0;  // SIGTERM, SIGINT, SIGHUP or SIGQUIT that came meanwhile: no more is wanted
};

// A job that was given up while it was still being asked for.
class Interrupted : public Error {
 public:
  explicit Interrupted(int signal)
      : Error(ExitCode::system, "given up: signal " + std::to_string(signal)), signal_(signal) {}
  int code_of_signal() const { return 128 + signal_; }

 private:
  int signal_;
};

// From here on signals that would end rankmap wait until a child is there or is over, so that nothing
// stays behind; a reader of our output who went away ends nothing. Children start as we were started.
void hold_signals();

// The program's exit code, 128 + signal where it was killed, 127 or 126 where it cannot start (a line
// on stderr says why); nothing is started where a signal that ends a job came before. Signals sent to this process alone are passed on; those of the terminal reach
// the program by themselves.
Ended start_and_wait(const Child& child);

}  // namespace rankmap::cli
