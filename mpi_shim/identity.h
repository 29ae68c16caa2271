/* Which rank of which job this process is, by the variables its launcher set. */
#ifndef RANKMAP_MPI_SHIM_IDENTITY_H
#define RANKMAP_MPI_SHIM_IDENTITY_H

/* Do the variables say that this very process is the rank? Those of a Slurm step also stand in agents
 * that start workers (torchrun), and SLURM_PROCID alone or a bare RANK in batch scripts and daemons. */
enum rankmap_certainty {
  RANKMAP_BY_MPI_ONLY, /* a rank when it calls MPI_Init, or when the wrapper was put before it */
  RANKMAP_STEP_TASK,   /* a rank, or an agent in its place */
  RANKMAP_SURE
};

struct rankmap_identity {
  long rank;              /* -1: no launcher's variable is set, or it is no number */
  long local_rank;        /* -1: unknown */
  long size;              /* -1: unknown */
  long local_size;        /* ranks of the job on this node; -1: unknown */
  int by_local_rank;      /* 1: the launcher's programs pick their GPU by local rank (torchrun) */
  const char* launcher;   /* for people; "" where no row of the table fits */
  const char* unreadable; /* the rank variable that is no number, NULL: none */
  enum rankmap_certainty certainty;
  char job[96]; /* tells jobs apart as far as the launcher names them; "-" where not */
};

/* The first row of the table that fits wins: torchrun's workers know better than the launcher of their
 * agent, and MPI's own names stand before Slurm's, because an mpirun inside a Slurm job sets both. */
struct rankmap_identity rankmap_identify(void);

#endif
