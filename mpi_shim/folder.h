/* The names in a folder, read without opendir, which would allocate. */
#ifndef RANKMAP_MPI_SHIM_FOLDER_H
#define RANKMAP_MPI_SHIM_FOLDER_H

/* Calls visit for every name in a folder but those that begin with a dot, in no order. 0: the folder
 * cannot be read. */
int rankmap_each_name(const char* path, void (*visit)(const char* name, void* context),
                      void* context);

#endif
