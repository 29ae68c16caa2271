/* What the driver's own doings tell: was it started before us, and is MPS between it and us? */
#ifndef RANKMAP_MPI_SHIM_GPUS_DRIVER_H
#define RANKMAP_MPI_SHIM_GPUS_DRIVER_H

/* Has this process the control node of a driver open, or a numbered one ("/dev/nvidia" with digits
 * behind it)? NULL: it has none such. Never in the static wrapper, which has no driver in it, only
 * descriptors that a parent may have left open. */
int rankmap_driver_is_open(const char* control, const char* numbered);

/* Under MPS the daemon counts devices anew, so that only uuids mean the same on both sides. */
int rankmap_mps_is_used(void);

#endif
