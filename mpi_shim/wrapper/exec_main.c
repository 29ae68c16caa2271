/* rankmap-exec [OPTIONS] [--] PROGRAM [ARGUMENTS...]
 * Places this process as the map plans for its rank, then becomes the program.
 * rankmap-exec --probe DIR [--detect RANKMAP]: only tells where this rank is. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "mpi_shim/placement.h"
#include "mpi_shim/text.h"
#include "mpi_shim/wrapper/probe.h"

enum { OWN_FAILURE = 125, NOT_EXECUTABLE = 126, NOT_FOUND = 127 };

struct options {
  struct rankmap_settings settings;
  struct rankmap_probe probe;
  char** program;
};

static const char usage[] =
    "usage: rankmap-exec [OPTIONS] [--] PROGRAM [ARGUMENTS...]\n"
    "Places this rank as the map plans, then runs PROGRAM.\n"
    "  --map FILE      the map (default: $RANKMAP_MAP)\n"
    "  --report DIR    write where this rank sits into this folder\n"
    "  --sum HEX       the map's checksum: a map that was replaced meanwhile is a doubt\n"
    "  --gpus MODE     own, aligned, own-first or keep\n"
    "  --nics MODE     nccl: NCCL_IB_HCA as well; keep: leave the NICs alone\n"
    "  --stage         read a copy of the map that the first rank of the node makes\n"
    "  --openmp        set OMP_NUM_THREADS and OMP_PLACES to the cores given\n"
    "  --verbose       say where this rank was placed\n"
    "rankmap-exec --probe DIR [--detect RANKMAP]\n"
    "Writes which rank this is to DIR/probe.RANK; by the first process of a host also what\n"
    "`RANKMAP machine local --json` prints to DIR/node.HOST.json.\n";

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

struct text_option {
  const char* name;
  const char** value;
};

struct switch_option {
  const char* name;
  int* value;
};

/* Takes the option at argv[*at]. 0: it is not known. */
static int take_option(char** argv, int* at, struct options* options) {
  struct rankmap_settings* const settings = &options->settings;
  const struct text_option texts[] = {{"--map", &settings->map},
                                      {"--report", &settings->report},
                                      {"--sum", &settings->sum},
                                      {"--gpus", &settings->gpus},
                                      {"--nics", &settings->nics},
                                      {"--probe", &options->probe.folder},
                                      {"--detect", &options->probe.rankmap}};
  const struct switch_option switches[] = {{"--stage", &settings->stage},
                                           {"--openmp", &settings->openmp},
                                           {"--verbose", &settings->verbose}};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
    const char* const value = option_value(argv, at, texts[i].name);
    if (value) *texts[i].value = value;
    if (value) return 1;
  }
  for (size_t i = 0; i < sizeof switches / sizeof *switches; ++i) {
    if (strcmp(argv[*at], switches[i].name) != 0) continue;
    *switches[i].value = 1;
    return 1;
  }
  return 0;
}

/* 0, or the exit code of a wrong command line. */
static int read_options(char** argv, struct options* options) {
  int at = 1;
  for (; argv[at] && argv[at][0] == '-' && strcmp(argv[at], "--") != 0; ++at)
    if (!take_option(argv, &at, options)) return fail("unknown option ", argv[at]);
  if (argv[at] && strcmp(argv[at], "--") == 0) ++at;
  options->program = argv + at;
  if (options->probe.folder && !*options->probe.folder) return fail("--probe needs a folder", "");
  if (options->probe.folder)
    return argv[at] ? fail("--probe runs no program, found ", argv[at]) : 0;
  if (options->probe.rankmap) return fail("--detect belongs to --probe", "");
  if (!argv[at]) return fail("no program given", "");
  if (!options->settings.map || !*options->settings.map)
    return fail("no map: give --map FILE or set RANKMAP_MAP", "");
  if (options->settings.report && !*options->settings.report)
    return fail("--report needs a folder", "");
  return 0;
}

static int become(char** program) {
  execvp(program[0], program);
  const int failure = errno;
  fprintf(stderr, "rankmap-exec: cannot run %s: %s\n", program[0], strerror(failure));
  return failure == ENOENT ? NOT_FOUND : NOT_EXECUTABLE;
}

int main(int argc, char** argv) {
  struct options options = {rankmap_settings_from_environment(), {NULL, NULL}, NULL};
  struct rankmap_placement placement;
  if (argc == 2 && strcmp(argv[1], "--help") == 0) {
    fputs(usage, stdout);
    return 0;
  }
  const int wrong = read_options(argv, &options);
  if (wrong) return wrong;
  if (options.probe.folder) return rankmap_probe(&options.probe);
  options.settings.alone = 1;
  rankmap_place(&placement, &options.settings);
  if (placement.state == RANKMAP_NO_RANK)
    rankmap_append(placement.doubt, sizeof placement.doubt,
                   "no launcher's rank variable is set, so nothing is placed");
  const int strict = rankmap_finish(&placement, "rankmap-exec");
  return strict ? strict : become(options.program);
}
