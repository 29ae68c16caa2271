/* Numbers in and out without the locale and without allocation. */
#include "libmap/wire/number.h"

#include <string.h>

void rankmap_wire_put_bytes(struct rankmap_wire_text* out, const char* bytes, size_t size) {
  if (out->length < out->capacity) {
    const size_t room = out->capacity - out->length - 1;
    const size_t taken = size < room ? size : room;
    memcpy(out->buffer + out->length, bytes, taken);
    out->buffer[out->length + taken] = '\0';
  }
  out->length += size;
}

void rankmap_wire_put(struct rankmap_wire_text* out, const char* text) {
  rankmap_wire_put_bytes(out, text, strlen(text));
}

void rankmap_wire_put_number(struct rankmap_wire_text* out, uint64_t value, unsigned base,
                             int digits) {
  char reversed[64];
  int count = 0;
  for (; value || count < digits; value /= base)
    reversed[count++] = "0123456789abcdef"[value % base];
  while (count > 0) rankmap_wire_put_bytes(out, &reversed[--count], 1);
}

int rankmap_wire_take_number(const char** text, uint64_t limit, uint64_t* value) {
  const char* at = *text;
  uint64_t number = 0;
  if (*at < '0' || *at > '9') return 0;
  for (; *at >= '0' && *at <= '9'; ++at) {
    const uint64_t digit = (uint64_t)(*at - '0');
    if (number > (limit - digit) / 10 || digit > limit) return 0;
    number = number * 10 + digit;
  }
  *text = at;
  *value = number;
  return 1;
}
