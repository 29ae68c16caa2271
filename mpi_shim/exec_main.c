/* rankmap-exec [--map FILE] [--report DIR] [--] PROGRAM [ARGUMENTS...]
 * Places this process as the map plans for its rank, then becomes the program. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "mpi_shim/placement.h"
#include "mpi_shim/text.h"

enum { OWN_FAILURE = 125, NOT_EXECUTABLE = 126, NOT_FOUND = 127 };

struct options {
  const char* map;
  const char* report;
  char** program;
};

static const char usage[] =
    "usage: rankmap-exec [--map FILE] [--report DIR] [--] PROGRAM [ARGUMENTS...]\n"
    "Places this rank as the map FILE (default: $RANKMAP_MAP) plans, then runs PROGRAM.\n";

static int fail(const char* text, const char* object) {
  fprintf(stderr, "rankmap-exec: %s%s\n%s", text, object, usage);
  return OWN_FAILURE;
}

/* The value of an option at argv[*at], `--map F` or `--map=F`; NULL: it is another option. */
static const char* option_value(char** argv, int* at, const char* name) {
  const size_t length = strlen(name);
  if (strncmp(argv[*at], name, length) != 0) return NULL;
  if (argv[*at][length] == '=') return argv[*at] + length + 1;
  if (argv[*at][length]) return NULL;
  return argv[*at + 1] ? argv[++*at] : "";
}

/* 0, or the exit code of a wrong command line. */
static int read_options(char** argv, struct options* options) {
  int at = 1;
  for (; argv[at] && argv[at][0] == '-' && strcmp(argv[at], "--") != 0; ++at) {
    const char* const map = option_value(argv, &at, "--map");
    const char* const report = map ? NULL : option_value(argv, &at, "--report");
    if (!map && !report) return fail("unknown option ", argv[at]);
    if (map) options->map = map;
    if (report) options->report = report;
  }
  if (argv[at] && strcmp(argv[at], "--") == 0) ++at;
  options->program = argv + at;
  if (!argv[at]) return fail("no program given", "");
  if (!options->map || !*options->map)
    return fail("no map: give --map FILE or set RANKMAP_MAP", "");
  if (options->report && !*options->report) return fail("--report needs a folder", "");
  return 0;
}

static int become(char** program) {
  execvp(program[0], program);
  const int failure = errno;
  fprintf(stderr, "rankmap-exec: cannot run %s: %s\n", program[0], strerror(failure));
  return failure == ENOENT ? NOT_FOUND : NOT_EXECUTABLE;
}

int main(int argc, char** argv) {
  struct options options = {rankmap_variable("RANKMAP_MAP"), rankmap_variable("RANKMAP_REPORT"),
                            NULL};
  struct rankmap_placement placement;
  if (argc == 2 && strcmp(argv[1], "--help") == 0) {
    fputs(usage, stdout);
    return 0;
  }
  const int wrong = read_options(argv, &options);
  if (wrong) return wrong;
  rankmap_place(&placement, options.map);
  if (placement.state == RANKMAP_NO_RANK)
    rankmap_append(placement.doubt, sizeof placement.doubt,
                   "no launcher's rank variable is set, so nothing is placed");
  if (options.report) rankmap_report(&placement, options.report);
  const int strict = rankmap_tell(&placement, "rankmap-exec");
  return strict ? strict : become(options.program);
}
