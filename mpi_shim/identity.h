/* Which rank of which job this process is, by the variables its launcher set. */
#ifndef RANKMAP_MPI_SHIM_IDENTITY_H
#define RANKMAP_MPI_SHIM_IDENTITY_H

struct rankmap_identity {
  long rank;            /* -1: no launcher's variable is set */
  long local_rank;      /* -1: unknown */
  long size;            /* -1: unknown */
  int by_local_rank;    /* 1: the launcher's programs pick their GPU by local rank (torchrun) */
  const char* launcher; /* for people */
  char job[96];         /* tells jobs apart as far as the launcher names them; "-" where not */
};

/* The first row of the table whose rank variable is set wins: MPI's own names stand before torchrun's
 * and Slurm's, because an mpirun inside a Slurm job sets both. */
struct rankmap_identity rankmap_identify(void);

#endif
