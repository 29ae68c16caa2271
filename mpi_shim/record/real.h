/* The MPI behind the recorder. Nothing is linked: functions and, under Open MPI, the objects that
 * handles point to are looked up when the program enters MPI, so that the library loads into any
 * process, also one that loads MPI later and out of the global scope (Python). */
#ifndef RANKMAP_MPI_SHIM_RECORD_REAL_H
#define RANKMAP_MPI_SHIM_RECORD_REAL_H

#include <mpi.h>

typedef void (*rankmap_any_function)(void);

/* The next definition of an MPI function behind ours. Ends the program with 125 where there is
 * none: the program could not go on. */
rankmap_any_function rankmap_next(const char* name);

#define RANKMAP_REAL_FUNCTIONS(row)                                                               \
  row(Initialized) row(Comm_rank) row(Comm_size) row(Comm_group) row(Comm_remote_group)           \
      row(Comm_test_inter) row(Comm_get_parent) row(Comm_dup) row(Comm_free)                      \
          row(Comm_set_errhandler) row(Group_size) row(Group_translate_ranks) row(Group_free)     \
              row(Win_get_group) row(Type_size_x) row(Topo_test) row(Cartdim_get) row(Cart_shift) \
                  row(Graph_neighbors_count) row(Graph_neighbors) row(Dist_graph_neighbors_count) \
                      row(Dist_graph_neighbors) row(Send) row(Recv)

struct rankmap_real {
#define RANKMAP_MEMBER(name) __typeof__(PMPI_##name)* name;
  RANKMAP_REAL_FUNCTIONS(RANKMAP_MEMBER)
#undef RANKMAP_MEMBER
  MPI_Comm comm_world, comm_null;
  MPI_Datatype byte;
  MPI_Errhandler errors_return;
};
extern struct rankmap_real rankmap_real;

/* Fills rankmap_real. -1: the MPI of this process is not the one that this library was built
 * for. */
int rankmap_find_real(void);

#endif
