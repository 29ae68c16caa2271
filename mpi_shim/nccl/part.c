#define _GNU_SOURCE
#include "mpi_shim/nccl/part.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mpi_shim/nccl/names.h"

enum { PATH_LENGTH = 4096 };

struct paths {
  char folder[PATH_LENGTH], part[PATH_LENGTH], temporary[PATH_LENGTH];
};

static void own_host(char* host, size_t capacity) {
  if (gethostname(host, capacity) != 0 || host[0] == '\0') strcpy(host, "-");
  host[capacity - 1] = '\0';
  for (; *host; ++host)
    if ((unsigned char)*host <= ' ' || *host == '/') *host = '_';
}

static int find_paths(struct paths* paths, const struct rankmap_nccl_process* process,
                      const char* host) {
  const char* const record = process->record;
  const long pid = process->pid;
  snprintf(paths->folder, PATH_LENGTH, "%s.nccl", record);
  snprintf(paths->part, PATH_LENGTH, "%s.nccl/part.%s.%ld", record, host, pid);
  const int length =
      snprintf(paths->temporary, PATH_LENGTH, "%s.nccl/.part.%s.%ld", record, host, pid);
  if (length >= 0 && length < PATH_LENGTH) return 0;
  errno = ENAMETOOLONG;
  return -1;
}

static void tell_number(FILE* file, long number, char after) {
  if (number < 0)
    fprintf(file, "-%c", after);
  else
    fprintf(file, "%ld%c", number, after);
}

static void tell_row(FILE* file, const struct rankmap_nccl_row* row) {
  const int is_send = row->operation == RANKMAP_NCCL_SEND;
  fprintf(file, "%s %" PRId32 " ", is_send ? "send" : "call", row->comm);
  if (!is_send) fprintf(file, "%s ", rankmap_nccl_operation_name(row->operation));
  tell_number(file, is_send || rankmap_nccl_has_root(row->operation) ? row->peer : -1, ' ');
  fprintf(file, "%" PRIu64 " %" PRIu64 " %" PRId32 "\n", row->calls, row->bytes, row->phase);
}

static void tell(FILE* file, const struct rankmap_nccl_process* process, const char* host,
                 const struct rankmap_nccl_tally* tally) {
  fprintf(file, "# rankmap nccl 1\nprocess %s %ld\nrank ", host, process->pid);
  tell_number(file, process->rank, ' ');
  tell_number(file, process->size, '\n');
  for (size_t i = 0; i < tally->comm_count; ++i) {
    const struct rankmap_nccl_comm* const comm = tally->comms[i];
    fprintf(file, "comm %" PRId32 " %" PRIx64 " %" PRId32 " %" PRId32 "%s%s\n", comm->number,
            comm->id, comm->ranks, comm->own, comm->name[0] ? " " : "", comm->name);
  }
  for (size_t i = 0; i < tally->row_count; ++i) tell_row(file, &tally->rows[i]);
  if (tally->other_calls != 0)
    fprintf(file, "other %" PRIu64 " %" PRIu64 "\n", tally->other_calls, tally->other_bytes);
}

static int write_file(const struct paths* paths, const struct rankmap_nccl_process* process,
                      const char* host, const struct rankmap_nccl_tally* tally) {
  FILE* const file = fopen(paths->temporary, "we");
  if (!file) return -1;
  tell(file, process, host, tally);
  const int bad = ferror(file);
  if (fclose(file) == 0 && !bad && rename(paths->temporary, paths->part) == 0) return 0;
  const int reason = errno;
  unlink(paths->temporary);
  errno = reason;
  return -1;
}

int rankmap_nccl_part_write(const struct rankmap_nccl_process* process,
                            const struct rankmap_nccl_tally* tally) {
  char host[256];
  struct paths paths;
  own_host(host, sizeof host);
  if (find_paths(&paths, process, host) != 0) return -1;
  if (mkdir(paths.folder, 0777) != 0 && errno != EEXIST) return -1;
  return write_file(&paths, process, host, tally);
}
