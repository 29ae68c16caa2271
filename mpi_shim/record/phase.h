/* Which phase of the program a call belongs to. By MPI_Pcontrol(LEVEL): 0 stops the recording, 1
 * goes on with it in phase 0, where it begins, and 2 and above is phase LEVEL - 1. Or by time:
 * every so many seconds since MPI_Init one more. */
#ifndef RANKMAP_MPI_SHIM_RECORD_PHASE_H
#define RANKMAP_MPI_SHIM_RECORD_PHASE_H

enum { RANKMAP_MOST_PHASES = 4096 }; /* what is later is counted in the last one */

/* setting: NULL, "" or "pcontrol", or "time:SECONDS". -1: none of these, taken for pcontrol. Time
 * begins now. */
int rankmap_phase_begin(const char* setting);
void rankmap_phase_level(
    int level);          /* of MPI_Pcontrol; of no effect on phases by time, but for 0, 1 */
int rankmap_phase(void); /* now; -1: nothing is recorded */

/* The same for the recorder of NCCL, which looks it up in the recorder of MPI; RANKMAP_NO_RECORDER:
 * that one is loaded, but saw no MPI_Init that was its own. */
enum { RANKMAP_NO_RECORDER = -2 };
__attribute__((visibility("default"))) int rankmap_record_phase(void);

#endif
