/* What the parts of calls.c share. */
#include <mpi.h>
#include <stddef.h>
#ifdef OMPI_MAJOR_VERSION
#include <mpi-ext.h>
#endif

enum { RANKS = 4, ROOM = 4096 };

extern int rank, next, before;
extern char out[ROOM], in[ROOM];
extern MPI_Request requests[2];

void begin(const char* name); /* the next phase */
void meet(void);
void receive(int size);

void messages(void);
void windows(void);
void collectives(void);
void communicators(void);

#if MPI_VERSION >= 4
#define HAS_MPI_4 1
#define PERSISTENT(name) MPI_##name
#else
#define HAS_MPI_4 0
#define PERSISTENT(name) MPIX_##name
#endif
