// What `run --record` adds to a job: the recorder of the job's MPI, loaded into every rank, the one
// of NCCL, which NCCL loads itself, and one record of both when the job is over.
#pragma once

#include <string>
#include <vector>

#include "libmap/mapping/launch.hpp"

namespace rankmap::cli {

class Recording {
 public:
  // `shim` is the path of librankmap_shim.so: the recorders lie beside it. torchrun's jobs, and
  // those of RANKMAP_MPI=none, are taken for ones without MPI. UsageError: `phases` is none that
  // the recorders know, which MPI the job runs is not certain, or nothing can be recorded;
  // NotAvailable: no such library.
  Recording(const std::string& file, const std::string& phases, LauncherKind launcher,
            const std::string& shim, const Environment& inherited);

  // To be loaded into every rank, with these variables.
  const std::vector<std::string>& libraries() const { return libraries_; }
  const Variables& variables() const { return variables_; }
  const std::string& note() const { return note_; }  // what is not recorded, and why; "": nothing

  // Before the job: what an earlier one left must not be taken for this one's. SystemError: it
  // stays.
  void begin();

  // After it: adds what NCCL did to the record, and says on stderr what there is now; nothing good
  // is told if `quiet`.
  void finish(bool quiet) const;

 private:
  void add_nccl(const std::string& shim, const Environment& inherited);
  bool put_together(bool has_mpi) const;
  void merge(bool has_mpi) const;
  std::string why_no_mpi() const;

  std::string file_;
  std::vector<std::string> libraries_;
  Variables variables_;
  std::string note_;
  bool records_nccl_ = false;
  std::string before_;  // what the file was when the job began
};

}  // namespace rankmap::cli
