// What `run --record` adds to a job: the recorder of the job's MPI, loaded into every rank, and a word
// about its file when the job is over.
#pragma once

#include <string>

#include "libmap/mapping/launch.hpp"

namespace rankmap::cli {

class Recording {
 public:
  // `shim` is the path of librankmap_shim.so: the recorders lie beside it. UsageError: `phases` is none
  // that the recorder knows, or which MPI the job runs is not certain; NotAvailable: no such library.
  Recording(const std::string& file, const std::string& phases, LauncherKind launcher,
            const std::string& shim);

  // To be loaded into every rank, with these variables.
  const std::string& library() const { return library_; }
  const Variables& variables() const { return variables_; }

  // Whether there is a file of this job now, on stderr; nothing good is told if `quiet`.
  void tell(bool quiet) const;

 private:
  std::string file_;
  std::string library_;
  Variables variables_;
  std::string before_;  // what the file was when the job began
};

}  // namespace rankmap::cli
