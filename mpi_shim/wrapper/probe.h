/* What a job tells before it has a map: where its ranks are, and what machine each of its nodes is. */
#ifndef RANKMAP_MPI_SHIM_PROBE_H
#define RANKMAP_MPI_SHIM_PROBE_H

struct rankmap_probe {
  const char* folder;  /* shared by the nodes */
  const char* rankmap; /* the program that describes a machine; NULL: nothing is asked */
};

/* Writes FOLDER/probe.R of this rank, and by the first process of a host FOLDER/node.HOST.json: what
 * `rankmap machine local --json` printed (node.HOST.err: what it complained of). Each is there whole
 * or not at all. Nobody waits for others. Returns the exit code: 0, or 125 after a message. */
int rankmap_probe(const struct rankmap_probe* probe);

#endif
