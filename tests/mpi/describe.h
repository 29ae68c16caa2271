/* What a test program says of itself, in one line: the planned GPU list and the CPU set. */
#ifndef RANKMAP_TESTS_MPI_DESCRIBE_H
#define RANKMAP_TESTS_MPI_DESCRIBE_H

enum { DESCRIPTION = 256 };

/* "rank 0 gpu 1 placed yes cpus 0 1" */
void describe(char* line, int rank);

#endif
