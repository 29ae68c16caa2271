/* What the user wants, by variables; the wrapper's options stand over them. */
#ifndef RANKMAP_MPI_SHIM_SETTINGS_H
#define RANKMAP_MPI_SHIM_SETTINGS_H

struct rankmap_settings {
  const char* map;    /* RANKMAP_MAP: the map file */
  const char* report; /* RANKMAP_REPORT: a folder for what each rank tells about itself */
  const char* sum;    /* RANKMAP_SUM: 16 hex digits, the map's checksum as `run` read it */
  const char* gpus;   /* RANKMAP_GPUS: own, aligned, own-first, keep */
  const char* cpus;   /* RANKMAP_CPUS: keep, force */
  const char* nics;   /* RANKMAP_NICS: keep, nccl (NCCL_IB_HCA as well) */
  const char* hosts;  /* RANKMAP_HOSTS: any */
  int stage;   /* RANKMAP_STAGE=1: read a copy of the map that the first rank of a node makes */
  int openmp;  /* RANKMAP_OPENMP=1: set OMP_NUM_THREADS and OMP_PLACES */
  int verbose; /* RANKMAP_VERBOSE=1: one line a rank on stderr */
  int strict;  /* RANKMAP_STRICT=1: a doubt ends the rank with 125 */
  int alone;   /* no variable: 1 in the wrapper, which has no other threads to look for */
};

/* As the environment says; NULL and 0 where it says nothing. The texts are the environment's own. */
struct rankmap_settings rankmap_settings_from_environment(void);

#endif
