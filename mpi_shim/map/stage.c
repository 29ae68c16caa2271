#define _GNU_SOURCE
#include "mpi_shim/map/stage.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "mpi_shim/own_file.h"
#include "mpi_shim/quiet.h"
#include "mpi_shim/text.h"

enum {
  LARGEST = 4 << 20, /* bytes: 16 thousand ranks; beyond, a node's share of opens is small */
  PATIENCE = 1500,   /* milliseconds */
  PRIVATE_MODE = 0600
};

int rankmap_read_sum(const char* text, uint64_t* sum) {
  if (strlen(text) != 16 || strspn(text, "0123456789abcdefABCDEF") != 16) return 0;
  *sum = strtoull(text, NULL, 16);
  return 1;
}

/* Two jobs may start with the same map: where the launcher names them their copies differ. Hosts that
 * share memory in a test are told apart. */
static int name_files(const struct rankmap_placement* placement, struct rankmap_stage* stage) {
  char folder[RANKMAP_STAGE_PATH - 300], job[sizeof placement->identity.job];
  if (!rankmap_shared_folder(folder, sizeof folder)) return 0;
  snprintf(job, sizeof job, "%s", placement->identity.job);
  for (char* at = job; *at; ++at)
    if (*at == '/') *at = '_';
  snprintf(stage->copy, sizeof stage->copy, "%s/rankmap.%lu.%s.%s.%.64s", folder,
           (unsigned long)geteuid(), placement->settings.sum, job, placement->host);
  snprintf(stage->done, sizeof stage->done, "%.500s.done", stage->copy);
  return 1;
}

enum found { ABSENT, UNFIT, COPY };

/* An empty copy says that there will be none. */
static enum found open_copy(struct rankmap_stage* stage) {
  struct rankmap_own_file status;
  const int file = open(stage->copy, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return errno == ENOENT ? ABSENT : UNFIT;
  if (!rankmap_is_own_file(file, &status) || status.size == 0) {
    close(file);
    return UNFIT;
  }
  stage->file = file;
  return COPY;
}

static long milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void wait_for_copy(struct rankmap_stage* stage) {
  const struct timespec step = {0, 5000000};
  const long end = milliseconds() + PATIENCE;
  while (open_copy(stage) == ABSENT && milliseconds() < end) nanosleep(&step, NULL);
}

/* Is this the whole map that `run` saw? */
static int is_wanted(const char* text, size_t size, uint64_t sum) {
  struct rankmap_wire_header header;
  if (rankmap_wire_parse_header(text, size, &header, NULL) != RANKMAP_WIRE_OK) return 0;
  const size_t body = size - RANKMAP_WIRE_HEADER_SIZE;
  return header.body == sum && body == (size_t)header.ranks * header.width &&
         rankmap_wire_checksum(text + RANKMAP_WIRE_HEADER_SIZE, body) == sum;
}

/* Writes beside and renames. A part that another first rank is writing is left to it. */
static void publish(const struct rankmap_stage* stage, const char* text, size_t size) {
  char part[RANKMAP_STAGE_PATH];
  snprintf(part, sizeof part, "%.500s.part", stage->copy);
  rankmap_remove_stale(part);
  const int file = open(part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, PRIVATE_MODE);
  if (file < 0) return;
  const int written = rankmap_write_quietly(file, text, size) || ftruncate(file, 0) == 0;
  close(file);
  if (!written || rename(part, stage->copy) != 0) unlink(part);
}

/* Reads a whole file of at most LARGEST bytes into memory of its own; 0: it is not that. */
static size_t read_map(const char* map, char* text) {
  size_t size = 0;
  ssize_t got = 0;
  const int file = open(map, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return 0;
  while (size <= LARGEST && (got = read(file, text + size, LARGEST + 1 - size)) != 0) {
    if (got < 0 && errno != EINTR) break;
    if (got > 0) size += (size_t)got;
  }
  close(file);
  return got == 0 && size <= LARGEST ? size : 0;
}

static void copy_map(const char* map, const struct rankmap_stage* stage) {
  char* const text =
      mmap(NULL, LARGEST + 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (text == MAP_FAILED) return;
  const size_t size = read_map(map, text);
  const int wanted = size > 0 && is_wanted(text, size, stage->sum);
  publish(stage, text, wanted ? size : 0);
  munmap(text, LARGEST + 1);
}

void rankmap_stage_begin(const struct rankmap_placement* placement, struct rankmap_stage* stage) {
  const struct rankmap_settings* const settings = &placement->settings;
  const struct rankmap_identity* const identity = &placement->identity;
  memset(stage, 0, sizeof *stage);
  stage->file = -1;
  if (!settings->stage || !settings->sum || !rankmap_read_sum(settings->sum, &stage->sum)) return;
  if (identity->local_rank < 0 || identity->local_size < 2 || !name_files(placement, stage)) return;
  stage->local_size = identity->local_size;
  if (identity->local_rank > 0) {
    wait_for_copy(stage);
    return;
  }
  rankmap_remove_stale(stage->copy);
  rankmap_remove_stale(stage->done);
  if (open_copy(stage) != ABSENT) return;
  copy_map(settings->map, stage);
  open_copy(stage);
}

void rankmap_stage_end(struct rankmap_stage* stage) {
  struct rankmap_own_file readers;
  if (stage->file >= 0) close(stage->file);
  if (stage->local_size == 0) return;
  const int file =
      open(stage->done, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC,
           PRIVATE_MODE);
  if (file < 0) return;
  const int counted = rankmap_is_own_file(file, &readers) && rankmap_write_quietly(file, ".", 1) &&
                      rankmap_is_own_file(file, &readers);
  close(file);
  if (!counted || readers.size < stage->local_size) return;
  unlink(stage->copy);
  unlink(stage->done);
}
