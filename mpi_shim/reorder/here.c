#define _GNU_SOURCE
#include "mpi_shim/reorder/here.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "libmap/wire/wire.h"
#include "mpi_shim/text.h"

enum { WORDS = 128, LINE = 4096 };

/* Nodes may share a name (containers), and processes of one kernel may have names of their own. */
static uint64_t host_key(void) {
  char text[512] = "", boot[64] = "";
  gethostname(text, 255);
  if (rankmap_read_start("/proc/sys/kernel/random/boot_id", boot, sizeof boot) > 0)
    rankmap_append(text, sizeof text, " %s", boot);
  return rankmap_wire_checksum(text, strlen(text));
}

static int are_within(const uint64_t* some, const uint64_t* all) {
  for (int i = 0; i < WORDS; ++i)
    if (some[i] & ~all[i]) return 0;
  return 1;
}

/* Lists of the kernel end with a newline. */
static int read_list(const char* path, uint64_t* mask) {
  char place[256], line[LINE];
  rankmap_system_path(place, sizeof place, path);
  if (rankmap_read_start(place, line, sizeof line) <= 0) return 0;
  line[strcspn(line, "\n")] = '\0';
  return rankmap_wire_parse_list(line, mask, WORDS);
}

static int domain_of_cpus(void) {
  uint64_t allowed[WORDS] = {0}, nodes[WORDS], cpus[WORDS];
  if (syscall(SYS_sched_getaffinity, 0, sizeof allowed, allowed) <= 0) return -1;
  if (!read_list("/sys/devices/system/node/online", nodes)) return -1;
  for (int node = 0; node < WORDS * 64; ++node) {
    char path[80];
    if (!(nodes[node / 64] >> (node % 64) & 1)) continue;
    snprintf(path, sizeof path, "/sys/devices/system/node/node%d/cpulist", node);
    if (read_list(path, cpus) && are_within(allowed, cpus)) return node;
  }
  return -1;
}

/* "preferred:1", "bind:0-1": the first node. */
static int domain_of_map(int rank, int size) {
  struct rankmap_wire_header header;
  struct rankmap_wire_row row;
  char line[RANKMAP_WIRE_MAX_WIDTH];
  const char* const map = rankmap_variable("RANKMAP_MAP");
  if (!map || rankmap_wire_read_rank(map, rank, &header, line, &row) != RANKMAP_WIRE_OK) return -1;
  const char* const colon = strchr(row.memory, ':');
  int node = -1;
  if (header.ranks != size || !colon || sscanf(colon + 1, "%d", &node) != 1) return -1;
  return node;
}

struct rankmap_site rankmap_site_here(int rank, int size) {
  const int bound = domain_of_cpus();
  return (struct rankmap_site){host_key(), bound >= 0 ? bound : domain_of_map(rank, size)};
}
