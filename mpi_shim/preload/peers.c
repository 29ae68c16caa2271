/* librankmap_peers_*.so: what one MPI knows of the ranks around this one. Built with each MPI's own
 * mpi.h and linked with none: every reference is weak, so that it loads into any process, and says -1
 * where that MPI is not the one that runs. */
#include <mpi.h>

#ifdef OMPI_MAJOR_VERSION
#pragma weak ompi_mpi_comm_world
#pragma weak ompi_mpi_comm_null
#pragma weak ompi_mpi_info_null
static int is_this_mpi(void) {
  return &ompi_mpi_comm_world && &ompi_mpi_comm_null && &ompi_mpi_info_null;
}
#else
extern char ompi_mpi_comm_world __attribute__((weak));
static int is_this_mpi(void) {
  return !&ompi_mpi_comm_world;
}
#endif

#pragma weak PMPI_Initialized
#pragma weak PMPI_Finalized
#pragma weak PMPI_Comm_rank
#pragma weak PMPI_Comm_size
#pragma weak PMPI_Comm_group
#pragma weak PMPI_Group_incl
#pragma weak PMPI_Group_free
#pragma weak PMPI_Comm_create_group
#pragma weak PMPI_Comm_split_type
#pragma weak PMPI_Comm_free

#define EXPORTED __attribute__((visibility("default")))

EXPORTED int rankmap_mpi_world(int* rank, int* size);
EXPORTED int rankmap_mpi_peers(const int* ranks, int count);

static int is_complete(void) {
  return is_this_mpi() && PMPI_Initialized && PMPI_Finalized && PMPI_Comm_rank && PMPI_Comm_size &&
         PMPI_Comm_group && PMPI_Group_incl && PMPI_Group_free && PMPI_Comm_create_group &&
         PMPI_Comm_split_type && PMPI_Comm_free;
}

/* Rank and size of MPI_COMM_WORLD. 0, or -1: not this MPI, or not initialised. */
int rankmap_mpi_world(int* rank, int* size) {
  int begun = 0, ended = 0;
  if (!is_complete()) return -1;
  if (PMPI_Initialized(&begun) != MPI_SUCCESS || PMPI_Finalized(&ended) != MPI_SUCCESS) return -1;
  if (!begun || ended) return -1;
  const int known = PMPI_Comm_rank(MPI_COMM_WORLD, rank) == MPI_SUCCESS &&
                    PMPI_Comm_size(MPI_COMM_WORLD, size) == MPI_SUCCESS;
  return known ? 0 : -1;
}

/* Collective over the ranks given (of MPI_COMM_WORLD, the same list on each of them): how many of them
 * MPI sees as sharing memory with this one; -1: it does not say. */
int rankmap_mpi_peers(const int* ranks, int count) {
  enum { TAG = 7471 };
  MPI_Comm together = MPI_COMM_NULL, shared = MPI_COMM_NULL;
  MPI_Group world, group;
  int size = -1;
  if (PMPI_Comm_group(MPI_COMM_WORLD, &world) != MPI_SUCCESS) return -1;
  if (PMPI_Group_incl(world, count, ranks, &group) == MPI_SUCCESS) {
    if (PMPI_Comm_create_group(MPI_COMM_WORLD, group, TAG, &together) == MPI_SUCCESS &&
        PMPI_Comm_split_type(together, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &shared) ==
            MPI_SUCCESS)
      PMPI_Comm_size(shared, &size);
    PMPI_Group_free(&group);
  }
  PMPI_Group_free(&world);
  if (shared != MPI_COMM_NULL) PMPI_Comm_free(&shared);
  if (together != MPI_COMM_NULL) PMPI_Comm_free(&together);
  return size;
}
