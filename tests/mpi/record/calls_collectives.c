/* Collectives, each in its three forms: blocking, with a request, persistent (started twice;
 * Scatter once, as the second start fails in MPICH 4.0). */
#include "calls.h"

static int counts[RANKS] = {1, 2, 3, 4}, offsets[RANKS] = {0, 100, 200, 300};
static MPI_Datatype types[RANKS], ints[RANKS];
static MPI_Comm comm = MPI_COMM_WORLD;

#define FORMS(...) FORMS_STARTED(2, __VA_ARGS__)
#define FORMS_STARTED(times, name, requested, persistent, ...)  \
  begin(#name);                                                 \
  MPI_##name(__VA_ARGS__);                                      \
  begin(#requested);                                            \
  MPI_##requested(__VA_ARGS__, requests);                       \
  MPI_Wait(requests, MPI_STATUS_IGNORE);                        \
  begin(#persistent);                                           \
  PERSISTENT(persistent)(__VA_ARGS__, MPI_INFO_NULL, requests); \
  for (int i = 0; i < times; ++i) {                             \
    MPI_Start(requests);                                        \
    MPI_Wait(requests, MPI_STATUS_IGNORE);                      \
  }                                                             \
  MPI_Request_free(requests)

static void with_equal_counts(void) {
  FORMS(Barrier, Ibarrier, Barrier_init, comm);
  FORMS(Bcast, Ibcast, Bcast_init, out, 40, MPI_CHAR, 1, comm);
  FORMS(Reduce, Ireduce, Reduce_init, out, in, 41, MPI_BYTE, MPI_BOR, 2, comm);
  FORMS(Allreduce, Iallreduce, Allreduce_init, out, in, 42, MPI_BYTE, MPI_BOR, comm);
  FORMS(Scan, Iscan, Scan_init, out, in, 43, MPI_BYTE, MPI_BOR, comm);
  FORMS(Exscan, Iexscan, Exscan_init, out, in, 44, MPI_BYTE, MPI_BOR, comm);
  FORMS(Alltoall, Ialltoall, Alltoall_init, out, 45, MPI_CHAR, in, 45, MPI_CHAR, comm);
  FORMS(Allgather, Iallgather, Allgather_init, out, 46, MPI_CHAR, in, 46, MPI_CHAR, comm);
  FORMS(Gather, Igather, Gather_init, out, 47, MPI_CHAR, in, 47, MPI_CHAR, 3, comm);
  FORMS_STARTED(1, Scatter, Iscatter, Scatter_init, out, 48, MPI_CHAR, in, 48, MPI_CHAR, 1, comm);
  FORMS(Reduce_scatter_block, Ireduce_scatter_block, Reduce_scatter_block_init, out, in, 49,
        MPI_BYTE, MPI_BOR, comm);
}

/* Rank r takes counts[r], in whatever rank's hands it is. */
static void with_counts(void) {
  static int same[RANKS], turned[RANKS];
  for (int i = 0; i < RANKS; ++i) same[i] = counts[rank];
  for (int i = 0; i < RANKS; ++i) turned[i] = 4 * offsets[i];
  FORMS(Alltoallv, Ialltoallv, Alltoallv_init, out, counts, offsets, MPI_CHAR, in, same, offsets,
        MPI_CHAR, comm);
  FORMS(Alltoallw, Ialltoallw, Alltoallw_init, out, counts, turned, types, in, same, turned, ints,
        comm);
  FORMS(Allgatherv, Iallgatherv, Allgatherv_init, out, counts[rank], MPI_CHAR, in, counts, offsets,
        MPI_CHAR, comm);
  FORMS(Gatherv, Igatherv, Gatherv_init, out, counts[rank], MPI_CHAR, in, counts, offsets, MPI_CHAR,
        0, comm);
  FORMS(Scatterv, Iscatterv, Scatterv_init, out, counts, offsets, MPI_CHAR, in, counts[rank],
        MPI_CHAR, 2, comm);
  FORMS(Reduce_scatter, Ireduce_scatter, Reduce_scatter_init, out, in, counts, MPI_BYTE, MPI_BOR,
        comm);
}

static void in_place(void) {
  begin("Alltoall_in_place");
  MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, 50, MPI_CHAR, comm);
  begin("Allgather_in_place");
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, 51, MPI_CHAR, comm);
  begin("Gather_in_place");
  if (rank == 1)
    MPI_Gather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, 52, MPI_CHAR, 1, comm);
  else
    MPI_Gather(out, 52, MPI_CHAR, NULL, 0, MPI_DATATYPE_NULL, 1, comm);
  begin("Scatter_in_place");
  if (rank == 1)
    MPI_Scatter(out, 53, MPI_CHAR, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, 1, comm);
  else
    MPI_Scatter(NULL, 0, MPI_DATATYPE_NULL, in, 53, MPI_CHAR, 1, comm);
#if HAS_MPI_4
  static MPI_Count large[RANKS] = {1, 2, 3, 4}, same[RANKS];
  static MPI_Aint where[RANKS] = {0, 100, 200, 300};
  for (int i = 0; i < RANKS; ++i) same[i] = large[rank];
  begin("Alltoallv_c");
  MPI_Alltoallv_c(out, large, where, MPI_CHAR, in, same, where, MPI_CHAR, comm);
#endif
}

/* The two directions of a closed ring have different counts: 1 down and 2 up. */
static void neighbours(void) {
  static int down_up[2] = {1, 2}, up_down[2] = {2, 1};
  static MPI_Aint far[2] = {0, 100};
  int closed = 1, extent = RANKS;
  MPI_Comm world = comm;
  MPI_Cart_create(MPI_COMM_WORLD, 1, &extent, &closed, 0, &comm);
  FORMS(Neighbor_alltoall, Ineighbor_alltoall, Neighbor_alltoall_init, out, 54, MPI_CHAR, in, 54,
        MPI_CHAR, comm);
  FORMS(Neighbor_allgather, Ineighbor_allgather, Neighbor_allgather_init, out, 55, MPI_CHAR, in, 55,
        MPI_CHAR, comm);
  FORMS(Neighbor_alltoallv, Ineighbor_alltoallv, Neighbor_alltoallv_init, out, down_up, offsets,
        MPI_CHAR, in, up_down, offsets, MPI_CHAR, comm);
  FORMS(Neighbor_alltoallw, Ineighbor_alltoallw, Neighbor_alltoallw_init, out, down_up, far, ints,
        in, up_down, far, ints, comm);
  static int fifty_six[2] = {56, 56};
  FORMS(Neighbor_allgatherv, Ineighbor_allgatherv, Neighbor_allgatherv_init, out, 56, MPI_CHAR, in,
        fifty_six, offsets, MPI_CHAR, comm);
  MPI_Comm_free(&comm);
  comm = world;
}

void collectives(void) {
  for (int i = 0; i < RANKS; ++i) types[i] = ints[i] = MPI_INT;
  with_equal_counts();
  with_counts();
  in_place();
  neighbours();
}
