/* Says where every rank of a job is, one line a rank in rank order, and checks that MPI works.
 * where [EXIT_CODE] ; also C++. Built as well with -DUSE_THREAD, -DUSE_PMPI, -DUSE_SESSION and, as a
 * plugin, -DPLUGIN. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif
#include "describe.h"
#ifdef __cplusplus
}
#endif

static MPI_Comm world;

#if defined(USE_SESSION)
static MPI_Session session;

static void start(int* argc, char*** argv) {
  MPI_Group group;
  (void)argc, (void)argv;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
  MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
  MPI_Comm_create_from_group(group, "where", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &world);
  MPI_Group_free(&group);
}

static void stop(void) {
  MPI_Comm_free(&world);
  MPI_Session_finalize(&session);
}
#else
static void start(int* argc, char*** argv) {
#if defined(USE_THREAD)
  int provided;
  MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided);
#elif defined(USE_PMPI)
  PMPI_Init(argc, argv);
#else
  MPI_Init(argc, argv);
#endif
  world = MPI_COMM_WORLD;
}

static void stop(void) {
  MPI_Finalize();
}
#endif

#if defined(PLUGIN)
int plugin_main(int argc, char** argv);
int plugin_main(int argc, char** argv) {
#else
int main(int argc, char** argv) {
#endif
  int rank, size, sum = 0;
  char line[DESCRIPTION] = "";
  start(&argc, &argv);
  MPI_Comm_rank(world, &rank);
  MPI_Comm_size(world, &size);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, world);
  describe(line, rank);
  char* all = (char*)malloc((size_t)size * DESCRIPTION);
  MPI_Gather(line, DESCRIPTION, MPI_CHAR, all, DESCRIPTION, MPI_CHAR, 0, world);
  for (int i = 0; rank == 0 && i < size; ++i) puts(all + i * DESCRIPTION);
  if (rank == 0 && sum != size * (size - 1) / 2) puts("MPI is broken");
  free(all);
  stop();
  return argc > 1 ? atoi(argv[1]) : 0;
}
