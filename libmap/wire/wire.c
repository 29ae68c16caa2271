/* The map file as a whole: one rank out of a file, and the check of a whole text. */
#define _GNU_SOURCE
#include "libmap/wire/wire.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

const char* rankmap_wire_message(enum rankmap_wire_status status) {
  static const char* const messages[RANKMAP_WIRE_STATUS_COUNT] = {
      [RANKMAP_WIRE_OK] = "no defect",
      [RANKMAP_WIRE_CANNOT_OPEN] = "the map file cannot be opened",
      [RANKMAP_WIRE_CANNOT_READ] = "the map file cannot be read",
      [RANKMAP_WIRE_SHORT_HEADER] = "the header is cut, expected 256 bytes",
      [RANKMAP_WIRE_MAGIC] = "not a map file, expected it to begin with \"# rankmap 1 \"",
      [RANKMAP_WIRE_VERSION_UNKNOWN] = "unknown version of the map file, expected 1",
      [RANKMAP_WIRE_HEADER_FIELD] =
          "damaged header, expected ranks=, width=, machine=, objective=, body= in this order",
      [RANKMAP_WIRE_RANKS] = "bad number of ranks, expected 1 to 16777216",
      [RANKMAP_WIRE_WIDTH] = "bad width of a line, expected 18 to 512",
      [RANKMAP_WIRE_NAME] = "bad name of the machine or objective, expected an escaped word",
      [RANKMAP_WIRE_PADDING] = "damaged header, expected blanks up to a newline as byte 256",
      [RANKMAP_WIRE_SIZE] = "the size is not 256 + ranks * width bytes: the file is cut or grown",
      [RANKMAP_WIRE_CHECKSUM] =
          "the checksum of the body differs from the header's: the file was "
          "changed after it was written",
      [RANKMAP_WIRE_RANK_RANGE] = "the map has no such rank",
      [RANKMAP_WIRE_LINE_END] =
          "no newline at the end of the line, expected one after `width` bytes",
      [RANKMAP_WIRE_CHARACTER] = "unexpected character, expected printable ASCII",
      [RANKMAP_WIRE_COLUMN_COUNT] = "wrong number of columns, expected 9",
      [RANKMAP_WIRE_RANK_MISMATCH] = "wrong rank number, expected the number of the line",
      [RANKMAP_WIRE_HOST] = "bad host, expected a name of at most 255 characters without blanks",
      [RANKMAP_WIRE_GPU] = "bad GPU index, expected 0 to 65535 or -",
      [RANKMAP_WIRE_NODE_GPUS] = "bad list of the node's GPUs, expected indices joined by commas",
      [RANKMAP_WIRE_CPUS] = "bad CPU list, expected numbers up to 65535 such as 0-4,40-44",
      [RANKMAP_WIRE_MEMORY] = "bad memory policy, expected preferred:LIST or bind:LIST",
      [RANKMAP_WIRE_FLAGS] =
          "bad flag, expected cores=LIST, slot=NUMBER, vendor=nvidia|amd|intel, "
          "tile=DEVICE.TILE",
      [RANKMAP_WIRE_FIELD] = "a column cannot hold blanks, control characters or a lone -",
      [RANKMAP_WIRE_TOO_LONG] = "a line would be longer than 512 bytes",
  };
  const int known = status >= 0 && status < RANKMAP_WIRE_STATUS_COUNT;
  return known && messages[status] ? messages[status] : "unknown defect";
}

uint64_t rankmap_wire_checksum(const char* bytes, size_t size) {
  uint64_t sum = UINT64_C(14695981039346656037); /* FNV-1a: offset basis and prime of 64 bits */
  for (size_t i = 0; i < size; ++i) sum = (sum ^ (unsigned char)bytes[i]) * UINT64_C(1099511628211);
  return sum;
}

/* Reads `size` bytes at an offset unless the file ends before; -1 on an error. */
static ssize_t read_at(int file, char* buffer, size_t size, off_t offset) {
  size_t done = 0;
  while (done < size) {
    const ssize_t got = pread(file, buffer + done, size - done, offset + (off_t)done);
    if (got == 0) break;
    if (got < 0 && errno != EINTR) return -1;
    if (got > 0) done += (size_t)got;
  }
  return (ssize_t)done;
}

static enum rankmap_wire_status read_header(int file, struct rankmap_wire_header* header) {
  char text[RANKMAP_WIRE_HEADER_SIZE];
  const ssize_t got = read_at(file, text, sizeof text, 0);
  if (got < 0) return RANKMAP_WIRE_CANNOT_READ;
  return rankmap_wire_parse_header(text, (size_t)got, header, NULL);
}

static enum rankmap_wire_status read_line(int file, int32_t rank,
                                          const struct rankmap_wire_header* header, char* line,
                                          struct rankmap_wire_row* row) {
  if (rank < 0 || rank >= header->ranks) return RANKMAP_WIRE_RANK_RANGE;
  const off_t offset = RANKMAP_WIRE_HEADER_SIZE + (off_t)rank * (off_t)header->width;
  const ssize_t got = read_at(file, line, header->width, offset);
  if (got < 0) return RANKMAP_WIRE_CANNOT_READ;
  if ((size_t)got < header->width) return RANKMAP_WIRE_SIZE;
  return rankmap_wire_parse_line(line, header->width, rank, row, NULL);
}

/* O_NONBLOCK: a pipe that stands where the map should be must not hold the job up. */
static int open_map(const char* path) {
  return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

enum rankmap_wire_status rankmap_wire_read_rank_from(int file, int32_t rank,
                                                     struct rankmap_wire_header* header, char* line,
                                                     struct rankmap_wire_row* row) {
  const enum rankmap_wire_status status = read_header(file, header);
  return status == RANKMAP_WIRE_OK ? read_line(file, rank, header, line, row) : status;
}

enum rankmap_wire_status rankmap_wire_read_rank(const char* path, int32_t rank,
                                                struct rankmap_wire_header* header, char* line,
                                                struct rankmap_wire_row* row) {
  const int file = open_map(path);
  if (file < 0) return RANKMAP_WIRE_CANNOT_OPEN;
  const enum rankmap_wire_status status =
      rankmap_wire_read_rank_from(file, rank, header, line, row);
  close(file);
  return status;
}

enum rankmap_wire_status rankmap_wire_read_header(const char* path,
                                                  struct rankmap_wire_header* header) {
  const int file = open_map(path);
  if (file < 0) return RANKMAP_WIRE_CANNOT_OPEN;
  const enum rankmap_wire_status status = read_header(file, header);
  close(file);
  return status;
}

struct rankmap_wire_fault rankmap_wire_verify(const char* text, size_t size,
                                              struct rankmap_wire_header* header) {
  struct rankmap_wire_fault fault = {RANKMAP_WIRE_OK, 1, 1};
  fault.status = rankmap_wire_parse_header(text, size, header, &fault.column);
  if (fault.status != RANKMAP_WIRE_OK) return fault;
  const size_t body = (size_t)header->ranks * header->width;
  const char* const lines = text + RANKMAP_WIRE_HEADER_SIZE;
  if (size - RANKMAP_WIRE_HEADER_SIZE != body)
    return (struct rankmap_wire_fault){RANKMAP_WIRE_SIZE, 0, 0};
  for (int32_t rank = 0; rank < header->ranks; ++rank) {
    char line[RANKMAP_WIRE_MAX_WIDTH];
    struct rankmap_wire_row row;
    memcpy(line, lines + (size_t)rank * header->width, header->width);
    fault.line = (size_t)rank + 2;
    fault.status = rankmap_wire_parse_line(line, header->width, rank, &row, &fault.column);
    if (fault.status != RANKMAP_WIRE_OK) return fault;
  }
  if (rankmap_wire_checksum(lines, body) != header->body)
    return (struct rankmap_wire_fault){RANKMAP_WIRE_CHECKSUM, 0, 0};
  return (struct rankmap_wire_fault){RANKMAP_WIRE_OK, 0, 0};
}
