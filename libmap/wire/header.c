/* The 256 bytes at the start of a map file. */
#include <string.h>

#include "libmap/wire/number.h"
#include "libmap/wire/wire.h"

static const char magic[] = "# rankmap ";

static int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

int rankmap_wire_escape(const char* text, char* buffer, size_t capacity) {
  struct rankmap_wire_text out = {buffer, 0, capacity};
  if (capacity) *buffer = '\0';
  for (; *text; ++text) {
    const unsigned char c = (unsigned char)*text;
    if (c > 0x20 && c < 0x7f && c != '%') {
      rankmap_wire_put_bytes(&out, text, 1);
    } else {
      rankmap_wire_put(&out, "%");
      rankmap_wire_put_number(&out, c, 16, 2);
    }
  }
  return out.length < capacity;
}

int rankmap_wire_unescape(const char* text, char* buffer, size_t capacity) {
  struct rankmap_wire_text out = {buffer, 0, capacity};
  if (capacity) *buffer = '\0';
  for (; *text; ++text) {
    char c = *text;
    if (c == '%') {
      const int high = hex_digit(text[1]);
      const int low = high < 0 ? -1 : hex_digit(text[2]);
      if (low < 0 || high * 16 + low == 0) return 0;
      c = (char)(high * 16 + low);
      text += 2;
    }
    rankmap_wire_put_bytes(&out, &c, 1);
  }
  return out.length < capacity;
}

/* The header's text with a cursor, '\0'-terminated. */
struct scan {
  const char* at;
};

static int accept(struct scan* scan, const char* text) {
  const size_t size = strlen(text);
  if (strncmp(scan->at, text, size) != 0) return 0;
  scan->at += size;
  return 1;
}

/* An escaped name up to the next blank. */
static int take_name(struct scan* scan, char* name, size_t capacity) {
  char plain[RANKMAP_WIRE_HEADER_SIZE];
  const size_t size = strcspn(scan->at, " ");
  if (size == 0 || size >= capacity) return 0;
  memcpy(name, scan->at, size);
  name[size] = '\0';
  if (!rankmap_wire_unescape(name, plain, sizeof plain)) return 0;
  scan->at += size;
  return 1;
}

static int take_hex(struct scan* scan, uint64_t* value) {
  *value = 0;
  for (int i = 0; i < 16; ++i, ++scan->at) {
    const int digit = hex_digit(*scan->at);
    if (digit < 0) return 0;
    *value = *value * 16 + (uint64_t)digit;
  }
  return 1;
}

static enum rankmap_wire_status scan_header(struct scan* scan, struct rankmap_wire_header* header) {
  uint64_t number;
  if (!accept(scan, magic)) return RANKMAP_WIRE_MAGIC;
  if (!rankmap_wire_take_number(&scan->at, UINT32_MAX, &number)) return RANKMAP_WIRE_MAGIC;
  if (number != RANKMAP_WIRE_VERSION) return RANKMAP_WIRE_VERSION_UNKNOWN;
  if (!accept(scan, " ranks=")) return RANKMAP_WIRE_HEADER_FIELD;
  if (!rankmap_wire_take_number(&scan->at, RANKMAP_WIRE_MAX_RANKS, &number) || number == 0)
    return RANKMAP_WIRE_RANKS;
  header->ranks = (int32_t)number;
  if (!accept(scan, " width=")) return RANKMAP_WIRE_HEADER_FIELD;
  if (!rankmap_wire_take_number(&scan->at, RANKMAP_WIRE_MAX_WIDTH, &number) ||
      number < 2 * RANKMAP_WIRE_COLUMNS)
    return RANKMAP_WIRE_WIDTH;
  header->width = (uint32_t)number;
  if (!accept(scan, " machine=")) return RANKMAP_WIRE_HEADER_FIELD;
  if (!take_name(scan, header->machine, sizeof header->machine)) return RANKMAP_WIRE_NAME;
  if (!accept(scan, " objective=")) return RANKMAP_WIRE_HEADER_FIELD;
  if (!take_name(scan, header->objective, sizeof header->objective)) return RANKMAP_WIRE_NAME;
  header->hosts_unnamed = accept(scan, " hosts=unnamed");
  if (!accept(scan, " body=") || !take_hex(scan, &header->body)) return RANKMAP_WIRE_HEADER_FIELD;
  scan->at += strspn(scan->at, " ");
  return *scan->at ? RANKMAP_WIRE_PADDING : RANKMAP_WIRE_OK;
}

enum rankmap_wire_status rankmap_wire_parse_header(const char* text, size_t size,
                                                   struct rankmap_wire_header* header,
                                                   size_t* column) {
  char copy[RANKMAP_WIRE_HEADER_SIZE];
  struct rankmap_wire_header read;
  struct scan scan = {copy};
  const size_t known = size < sizeof copy - 1 ? size : sizeof copy - 1;
  memset(&read, 0, sizeof read);
  if (known) memcpy(copy, text, known);
  copy[known] = '\0';
  if (column) *column = 1;
  if (strncmp(copy, magic, sizeof magic - 1) != 0) return RANKMAP_WIRE_MAGIC;
  if (size < RANKMAP_WIRE_HEADER_SIZE) return RANKMAP_WIRE_SHORT_HEADER;
  enum rankmap_wire_status status = scan_header(&scan, &read);
  if (column) *column = (size_t)(scan.at - copy) + 1;
  if (status == RANKMAP_WIRE_OK && strlen(copy) != known) status = RANKMAP_WIRE_PADDING;
  if (status == RANKMAP_WIRE_OK && text[known] != '\n') status = RANKMAP_WIRE_PADDING;
  if (status == RANKMAP_WIRE_OK) *header = read;
  return status;
}

enum rankmap_wire_status rankmap_wire_render_header(const struct rankmap_wire_header* header,
                                                    char* buffer) {
  char text[RANKMAP_WIRE_HEADER_SIZE];
  struct rankmap_wire_header back;
  struct rankmap_wire_text out = {text, 0, sizeof text};
  rankmap_wire_put(&out, magic);
  rankmap_wire_put_number(&out, RANKMAP_WIRE_VERSION, 10, 1);
  rankmap_wire_put(&out, " ranks=");
  rankmap_wire_put_number(&out, header->ranks < 0 ? 0 : (uint64_t)header->ranks, 10, 1);
  rankmap_wire_put(&out, " width=");
  rankmap_wire_put_number(&out, header->width, 10, 1);
  rankmap_wire_put(&out, " machine=");
  rankmap_wire_put(&out, header->machine);
  rankmap_wire_put(&out, " objective=");
  rankmap_wire_put(&out, header->objective);
  if (header->hosts_unnamed) rankmap_wire_put(&out, " hosts=unnamed");
  rankmap_wire_put(&out, " body=");
  rankmap_wire_put_number(&out, header->body, 16, 16);
  if (out.length >= sizeof text) return RANKMAP_WIRE_TOO_LONG;
  memset(buffer, ' ', RANKMAP_WIRE_HEADER_SIZE);
  memcpy(buffer, text, out.length);
  buffer[RANKMAP_WIRE_HEADER_SIZE - 1] = '\n';
  return rankmap_wire_parse_header(buffer, RANKMAP_WIRE_HEADER_SIZE, &back, NULL);
}
