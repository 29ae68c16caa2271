/* Lists of CPU and node numbers, and their masks. */
#include <string.h>

#include "libmap/wire/number.h"
#include "libmap/wire/wire.h"

/* "a", "a-b" or "a-b:stride" at *text; moves *text behind it. */
static int take_item(const char** text, uint64_t limit, uint64_t* mask) {
  uint64_t first, last, stride = 1;
  if (!rankmap_wire_take_number(text, limit, &first)) return 0;
  last = first;
  if (**text == '-') {
    ++*text;
    if (!rankmap_wire_take_number(text, limit, &last) || last < first) return 0;
    if (**text == ':') {
      ++*text;
      if (!rankmap_wire_take_number(text, limit, &stride) || stride == 0) return 0;
    }
  }
  for (uint64_t number = first; number <= last; number += stride)
    if (mask) mask[number / 64] |= UINT64_C(1) << (number % 64);
  return 1;
}

int rankmap_wire_check_list(const char* list, uint64_t limit, uint64_t* mask) {
  if (!*list) return 1;
  for (;;) {
    if (!take_item(&list, limit, mask)) return 0;
    if (!*list) return 1;
    if (*list++ != ',') return 0;
  }
}

int rankmap_wire_parse_list(const char* list, uint64_t* mask, size_t words) {
  memset(mask, 0, words * sizeof *mask);
  return rankmap_wire_check_list(list, words * 64 - 1, mask);
}

static int bit(const uint64_t* mask, size_t number) {
  return (int)(mask[number / 64] >> (number % 64) & 1);
}

int rankmap_wire_print_list(const uint64_t* mask, size_t words, char* buffer, size_t capacity) {
  struct rankmap_wire_text out = {buffer, 0, capacity};
  if (capacity) *buffer = '\0';
  for (size_t i = 0; i < words * 64; ++i) {
    if (!bit(mask, i)) continue;
    size_t last = i;
    while (last + 1 < words * 64 && bit(mask, last + 1)) ++last;
    if (out.length) rankmap_wire_put(&out, ",");
    rankmap_wire_put_number(&out, i, 10, 1);
    if (last > i) {
      rankmap_wire_put(&out, "-");
      rankmap_wire_put_number(&out, last, 10, 1);
    }
    i = last;
  }
  return out.length < capacity;
}
