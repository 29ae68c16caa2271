/* The MPI behind this library: what the program, or a tool loaded after us, would have called. */
#ifndef RANKMAP_MPI_SHIM_REORDER_NEXT_H
#define RANKMAP_MPI_SHIM_REORDER_NEXT_H

/* The next definition of `name`, seen from `caller` (a return address) where MPI was loaded out of the
 * global scope, as Python does. Ends the process where there is none: nobody could have called us. */
void* rankmap_reorder_next(const char* name, const void* caller);

/* A function of that MPI, behind us: a tool loaded before us, as the recorder, is not to see what we
 * send. NULL: it has none. */
void* rankmap_reorder_function(const char* name, const void* caller);

/* An object of that MPI, as the program sees it: a program may hold a copy that all of MPI uses, with
 * MPI's own lying idle. */
void* rankmap_reorder_object(const char* name, const void* caller);

#endif
