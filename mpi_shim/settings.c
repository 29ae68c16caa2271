#include "mpi_shim/settings.h"

#include <stddef.h>
#include <string.h>

#include "mpi_shim/text.h"

static int is_on(const char* name) {
  const char* const value = rankmap_variable(name);
  return value && strcmp(value, "1") == 0;
}

struct rankmap_settings rankmap_settings_from_environment(void) {
  return (struct rankmap_settings){
      .map = rankmap_variable("RANKMAP_MAP"),
      .report = rankmap_variable("RANKMAP_REPORT"),
      .sum = rankmap_variable("RANKMAP_SUM"),
      .gpus = rankmap_variable("RANKMAP_GPUS"),
      .cpus = rankmap_variable("RANKMAP_CPUS"),
      .nics = rankmap_variable("RANKMAP_NICS"),
      .hosts = rankmap_variable("RANKMAP_HOSTS"),
      .stage = is_on("RANKMAP_STAGE"),
      .openmp = is_on("RANKMAP_OPENMP"),
      .verbose = is_on("RANKMAP_VERBOSE"),
      .strict = is_on("RANKMAP_STRICT"),
  };
}
