/* The map-file record in C11: one reader and one writer that the library, the wrapper and the shim
 * share. libc only, no allocation, no state; every text lives in the caller's buffers.
 *
 * A map file, version 1, is printable ASCII:
 *   header  256 bytes: `# rankmap 1 ranks=4 width=96 machine=dgx1-v100 objective=effbw
 *           body=<16 hex digits>` on one line, blanks, and a newline as byte 256. Machine and
 *           objective are escaped (%20 for a blank). `hosts=unnamed` may stand before body= : the
 *           hosts node0, node1 ... are stand-ins for names not known yet. body= is the FNV-1a sum
 *           (64 bits) of everything behind the header.
 *   body    one line a rank, all `width` bytes with their newline, width <= 512: rank r's line is
 *           at 256 + r * width. Nine columns, separated by blanks, `-` where there is nothing:
 *           rank  host  gpu  gpu-id  node-gpus  nic  cpus  memory  flags
 *   rank       decimal, equal to the line's number from 0
 *   host       node name; `*`: the machine is one nameless node
 *   gpu        GPU index on its node, in PCI order
 *   gpu-id     PCI bus id (0000:06:00.0) or uuid (GPU-..., MIG-...)
 *   node-gpus  GPU indices of all ranks of this host, by local rank: 2,0,3,1
 *   nic        device name (mlx5_0, hsn0)
 *   cpus       OS numbers: 0-4,40-44 or 0-14:2
 *   memory     policy and OS numbers of NUMA nodes: preferred:0 or bind:0-1
 *   flags      joined by `;`: cores=LIST (the cpus as logical core numbers), slot=N (the slot's
 *              index on its node), vendor=nvidia|amd|intel, tile=D.T (Intel: device and tile);
 *              unknown ones are kept and ignored
 */
#ifndef RANKMAP_LIBMAP_WIRE_WIRE_H
#define RANKMAP_LIBMAP_WIRE_WIRE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  RANKMAP_WIRE_VERSION = 1,
  RANKMAP_WIRE_HEADER_SIZE = 256,
  RANKMAP_WIRE_MAX_WIDTH = 512, /* of a line, with its newline */
  RANKMAP_WIRE_COLUMNS = 9,
  RANKMAP_WIRE_MAX_RANKS = 16777216,
  RANKMAP_WIRE_MAX_GPU = 65535,
  RANKMAP_WIRE_MAX_HOST = 255,
  RANKMAP_WIRE_MAX_MACHINE = 112, /* escaped; so that every header fits its 256 bytes */
  RANKMAP_WIRE_MAX_OBJECTIVE = 48
};

/* Why a text is not a map file. rankmap_wire_message() says each in words. */
enum rankmap_wire_status {
  RANKMAP_WIRE_OK = 0,
  RANKMAP_WIRE_CANNOT_OPEN,
  RANKMAP_WIRE_CANNOT_READ,
  RANKMAP_WIRE_SHORT_HEADER,
  RANKMAP_WIRE_MAGIC,
  RANKMAP_WIRE_VERSION_UNKNOWN,
  RANKMAP_WIRE_HEADER_FIELD,
  RANKMAP_WIRE_RANKS,
  RANKMAP_WIRE_WIDTH,
  RANKMAP_WIRE_NAME,
  RANKMAP_WIRE_PADDING,
  RANKMAP_WIRE_SIZE,
  RANKMAP_WIRE_CHECKSUM,
  RANKMAP_WIRE_RANK_RANGE,
  RANKMAP_WIRE_LINE_END,
  RANKMAP_WIRE_CHARACTER,
  RANKMAP_WIRE_COLUMN_COUNT,
  RANKMAP_WIRE_RANK_MISMATCH,
  RANKMAP_WIRE_HOST,
  RANKMAP_WIRE_GPU,
  RANKMAP_WIRE_NODE_GPUS,
  RANKMAP_WIRE_CPUS,
  RANKMAP_WIRE_MEMORY,
  RANKMAP_WIRE_FLAGS,
  RANKMAP_WIRE_FIELD,
  RANKMAP_WIRE_TOO_LONG,
  RANKMAP_WIRE_STATUS_COUNT
};

struct rankmap_wire_header {
  int32_t ranks;
  uint32_t width;
  uint64_t body;                                  /* checksum */
  int hosts_unnamed;                              /* 1: hosts=unnamed stands in the header */
  char machine[RANKMAP_WIRE_MAX_MACHINE + 1];     /* escaped, see rankmap_wire_unescape */
  char objective[RANKMAP_WIRE_MAX_OBJECTIVE + 1]; /* escaped */
};

/* One rank's line. The texts point into the buffer that was parsed; "" where the file says `-`. */
struct rankmap_wire_row {
  int32_t rank;
  int32_t gpu; /* -1: none */
  const char* host;
  const char* gpu_id;
  const char* node_gpus;
  const char* nic;
  const char* cpus;
  const char* memory;
  const char* flags;
};

/* Where a defect was found; lines and columns count from 1, line 0: the file as a whole. */
struct rankmap_wire_fault {
  enum rankmap_wire_status status;
  size_t line;
  size_t column;
};

/* A sentence without position: what was found wrong, and what was expected. Never NULL. */
const char* rankmap_wire_message(enum rankmap_wire_status status);

/* FNV-1a, 64 bits, of `size` bytes. */
uint64_t rankmap_wire_checksum(const char* bytes, size_t size);

/* Reads the 256 bytes of a header. The header is filled only where the result is OK; column may be
 * NULL, else it gets the place of the defect. */
enum rankmap_wire_status rankmap_wire_parse_header(const char* text, size_t size,
                                                   struct rankmap_wire_header* header,
                                                   size_t* column);

/* Reads one line of `width` bytes, newline included, and checks that it is `rank`'s. Ends the
 * columns in the buffer with '\0', so the buffer is changed; row points into it. */
enum rankmap_wire_status rankmap_wire_parse_line(char* line, size_t width, int32_t rank,
                                                 struct rankmap_wire_row* row, size_t* column);

/* Reads one rank of a file: one open, two reads. `line` has RANKMAP_WIRE_MAX_WIDTH bytes. The
 * checksum is not verified: that would need the whole file. */
enum rankmap_wire_status rankmap_wire_read_rank(const char* path, int32_t rank,
                                                struct rankmap_wire_header* header, char* line,
                                                struct rankmap_wire_row* row);

/* The same of a file that is open already, and stays so: two reads. */
enum rankmap_wire_status rankmap_wire_read_rank_from(int file, int32_t rank,
                                                     struct rankmap_wire_header* header, char* line,
                                                     struct rankmap_wire_row* row);

/* Reads the header alone. */
enum rankmap_wire_status rankmap_wire_read_header(const char* path,
                                                  struct rankmap_wire_header* header);

/* Checks a whole file in memory: header, size, every line, checksum. */
struct rankmap_wire_fault rankmap_wire_verify(const char* text, size_t size,
                                              struct rankmap_wire_header* header);

/* Writes a header of exactly RANKMAP_WIRE_HEADER_SIZE bytes (no '\0'). */
enum rankmap_wire_status rankmap_wire_render_header(const struct rankmap_wire_header* header,
                                                    char* buffer);

/* Writes a row into a buffer of RANKMAP_WIRE_MAX_WIDTH bytes, newline last, no '\0'. Columns are
 * padded to widths[0..8] (NULL: not padded), the line to `width` (0: as long as it needs). *length
 * gets the bytes written. Empty and NULL texts become `-`. The row must pass parse_line. */
enum rankmap_wire_status rankmap_wire_render_line(const struct rankmap_wire_row* row,
                                                  const size_t* widths, size_t width, char* buffer,
                                                  size_t* length);

/* Escapes bytes outside 0x21..0x7e and '%' as %XX / back. 0: does not fit `capacity` with its '\0',
 * or (unescape) not an escaped text; else 1. */
int rankmap_wire_escape(const char* text, char* buffer, size_t capacity);
int rankmap_wire_unescape(const char* text, char* buffer, size_t capacity);

/* Reads a list of numbers `0-4,40-44,60-70:2` ("" is empty) into a mask of `words` * 64 bits
 * (words >= 1), which is cleared first. 0: not such a list, or a number beyond the mask; else 1. */
int rankmap_wire_parse_list(const char* list, uint64_t* mask, size_t words);

/* Writes a mask as such a list (ranges, no strides). 0: does not fit; else 1. */
int rankmap_wire_print_list(const uint64_t* mask, size_t words, char* buffer, size_t capacity);

/* The value of a flag: finds `name=value` in a flags column. Returns NULL if it is not there, else
 * its first character; *length gets its length (it ends at `;` or '\0'). */
const char* rankmap_wire_flag(const char* flags, const char* name, size_t* length);

#ifdef __cplusplus
}
#endif

#endif
