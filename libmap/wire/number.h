/* Private to libmap/wire: numbers in, numbers out, and a text that knows its capacity. */
#ifndef RANKMAP_LIBMAP_WIRE_NUMBER_H
#define RANKMAP_LIBMAP_WIRE_NUMBER_H

#include <stddef.h>
#include <stdint.h>

/* A text being written. `length` goes on counting beyond the capacity; nothing is written there.
 * Always '\0'-terminated where capacity > 0. */
struct rankmap_wire_text {
  char* buffer;
  size_t length;
  size_t capacity;
};

void rankmap_wire_put_bytes(struct rankmap_wire_text* out, const char* bytes, size_t size);
void rankmap_wire_put(struct rankmap_wire_text* out, const char* text);
void rankmap_wire_put_number(struct rankmap_wire_text* out, uint64_t value, unsigned base,
                             int digits);

/* Reads decimal digits at *text, moves it behind them. 0: no digit there, or above the limit. */
int rankmap_wire_take_number(const char** text, uint64_t limit, uint64_t* value);

/* Is this a list of numbers <= limit? With a mask (may be NULL) sets their bits. */
int rankmap_wire_check_list(const char* list, uint64_t limit, uint64_t* mask);

#endif
