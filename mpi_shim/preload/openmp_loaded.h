/* An OpenMP runtime that was loaded with the program read its variables before the shim could set them. */
#ifndef RANKMAP_MPI_SHIM_OPENMP_LOADED_H
#define RANKMAP_MPI_SHIM_OPENMP_LOADED_H

#include "mpi_shim/placement.h"

/* Tells such a runtime its number of threads; notes what could not be told. */
void rankmap_tell_openmp(struct rankmap_placement* placement);

#endif
