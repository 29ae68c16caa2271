/* The MPI behind this library: what the program, or a tool loaded after us, would have called. */
#ifndef RANKMAP_MPI_SHIM_REORDER_NEXT_H
#define RANKMAP_MPI_SHIM_REORDER_NEXT_H

/* The next definition of `name`, seen from `caller` (a return address) where MPI was loaded out of the
 * global scope, as Python does. Ends the process where there is none: nobody could have called us. */
void* rankmap_reorder_next(const char* name, const void* caller);

/* Any symbol of that MPI, by a caller as above; NULL: it has none. */
void* rankmap_reorder_symbol(const char* name, const void* caller);

#endif
