/* One rank's line of a map file: columns out of a buffer, and back into one. */
#include <string.h>

#include "libmap/wire/number.h"
#include "libmap/wire/wire.h"

enum { RANK, HOST, GPU, GPU_ID, NODE_GPUS, NIC, CPUS, MEMORY, FLAGS };
enum { MAX_CPU = 65535 };

static int is_whole_number(const char* text, uint64_t limit, uint64_t* value) {
  return rankmap_wire_take_number(&text, limit, value) && !*text;
}

/* "2,0,3,1": order matters, so no ranges. */
static int is_gpu_list(const char* text) {
  uint64_t number;
  if (!*text) return 1;
  while (rankmap_wire_take_number(&text, RANKMAP_WIRE_MAX_GPU, &number)) {
    if (!*text) return 1;
    if (*text++ != ',') return 0;
  }
  return 0;
}

static int is_memory(const char* text) {
  static const char* const policies[] = {"preferred:", "bind:"};
  if (!*text) return 1;
  for (size_t i = 0; i < 2; ++i) {
    const size_t size = strlen(policies[i]);
    if (strncmp(text, policies[i], size) == 0 && text[size])
      return rankmap_wire_check_list(text + size, MAX_CPU, NULL);
  }
  return 0;
}

const char* rankmap_wire_flag(const char* flags, const char* name, size_t* length) {
  const size_t size = strlen(name);
  while (*flags) {
    const size_t item = strcspn(flags, ";");
    if (item > size && strncmp(flags, name, size) == 0 && flags[size] == '=') {
      *length = item - size - 1;
      return flags + size + 1;
    }
    flags += item;
    if (*flags) ++flags;
  }
  return NULL;
}

static int is_flags(const char* flags) {
  static const char* const vendors[] = {"nvidia", "amd", "intel"};
  char value[RANKMAP_WIRE_MAX_WIDTH];
  uint64_t number;
  size_t length;
  const char* at = rankmap_wire_flag(flags, "cores", &length);
  if (at) {
    memcpy(value, at, length);
    value[length] = '\0';
    if (!length || !rankmap_wire_check_list(value, MAX_CPU, NULL)) return 0;
  }
  at = rankmap_wire_flag(flags, "slot", &length);
  if (at && (!rankmap_wire_take_number(&at, INT32_MAX, &number) || (*at && *at != ';'))) return 0;
  at = rankmap_wire_flag(flags, "tile", &length);
  if (at && (!length || strspn(at, "0123456789.") < length)) return 0;
  at = rankmap_wire_flag(flags, "vendor", &length);
  if (!at) return 1;
  for (size_t i = 0; i < 3; ++i)
    if (length == strlen(vendors[i]) && strncmp(at, vendors[i], length) == 0) return 1;
  return 0;
}

/* Ends the columns with '\0'. Every byte but the newline is printable ASCII or a blank. */
static enum rankmap_wire_status cut_columns(char* line, size_t width, char** columns,
                                            size_t* column) {
  size_t count = 0;
  for (size_t i = 0; i + 1 < width; ++i) {
    const unsigned char c = (unsigned char)line[i];
    *column = i + 1;
    if (c < 0x20 || c > 0x7e) return RANKMAP_WIRE_CHARACTER;
    const int starts = c != ' ' && (i == 0 || line[i - 1] == '\0');
    if (starts && count == RANKMAP_WIRE_COLUMNS) return RANKMAP_WIRE_COLUMN_COUNT;
    if (starts) columns[count++] = line + i;
    if (c == ' ') line[i] = '\0';
  }
  line[width - 1] = '\0';
  return count == RANKMAP_WIRE_COLUMNS ? RANKMAP_WIRE_OK : RANKMAP_WIRE_COLUMN_COUNT;
}

/* Checks the columns, "-" already made "". Says which is wrong. */
static enum rankmap_wire_status check_columns(char* const* columns, int32_t rank, int* wrong) {
  uint64_t number;
  *wrong = RANK;
  if (!is_whole_number(columns[RANK], RANKMAP_WIRE_MAX_RANKS, &number) || rank < 0 ||
      number != (uint64_t)rank)
    return RANKMAP_WIRE_RANK_MISMATCH;
  *wrong = HOST;
  if (!*columns[HOST] || strlen(columns[HOST]) > RANKMAP_WIRE_MAX_HOST) return RANKMAP_WIRE_HOST;
  *wrong = GPU;
  if (*columns[GPU] && !is_whole_number(columns[GPU], RANKMAP_WIRE_MAX_GPU, &number))
    return RANKMAP_WIRE_GPU;
  *wrong = NODE_GPUS;
  if (!is_gpu_list(columns[NODE_GPUS])) return RANKMAP_WIRE_NODE_GPUS;
  *wrong = CPUS;
  if (!rankmap_wire_check_list(columns[CPUS], MAX_CPU, NULL)) return RANKMAP_WIRE_CPUS;
  *wrong = MEMORY;
  if (!is_memory(columns[MEMORY])) return RANKMAP_WIRE_MEMORY;
  *wrong = FLAGS;
  return is_flags(columns[FLAGS]) ? RANKMAP_WIRE_OK : RANKMAP_WIRE_FLAGS;
}

enum rankmap_wire_status rankmap_wire_parse_line(char* line, size_t width, int32_t rank,
                                                 struct rankmap_wire_row* row, size_t* column) {
  char* columns[RANKMAP_WIRE_COLUMNS];
  size_t unwanted;
  uint64_t gpu = 0;
  int wrong = 0;
  size_t* const place = column ? column : &unwanted;
  *place = width;
  if (width == 0 || width > RANKMAP_WIRE_MAX_WIDTH || line[width - 1] != '\n')
    return RANKMAP_WIRE_LINE_END;
  enum rankmap_wire_status status = cut_columns(line, width, columns, place);
  if (status != RANKMAP_WIRE_OK) return status;
  for (int i = 0; i < RANKMAP_WIRE_COLUMNS; ++i)
    if (strcmp(columns[i], "-") == 0) columns[i][0] = '\0';
  status = check_columns(columns, rank, &wrong);
  *place = (size_t)(columns[wrong] - line) + 1;
  if (status != RANKMAP_WIRE_OK) return status;
  is_whole_number(columns[GPU], RANKMAP_WIRE_MAX_GPU, &gpu);
  *row = (struct rankmap_wire_row){rank,
                                   *columns[GPU] ? (int32_t)gpu : -1,
                                   columns[HOST],
                                   columns[GPU_ID],
                                   columns[NODE_GPUS],
                                   columns[NIC],
                                   columns[CPUS],
                                   columns[MEMORY],
                                   columns[FLAGS]};
  return status;
}

static void put_column(struct rankmap_wire_text* out, const char* text, size_t width) {
  const size_t start = out->length;
  rankmap_wire_put(out, text && *text ? text : "-");
  while (out->length - start < width) rankmap_wire_put(out, " ");
}

/* A text that would change its meaning in a column: blanks, control characters, a lone "-". */
static int is_column(const char* text) {
  if (!text) return 1;
  if (strcmp(text, "-") == 0) return 0;
  for (; *text; ++text)
    if ((unsigned char)*text <= 0x20 || (unsigned char)*text > 0x7e) return 0;
  return 1;
}

enum rankmap_wire_status rankmap_wire_render_line(const struct rankmap_wire_row* row,
                                                  const size_t* widths, size_t width, char* buffer,
                                                  size_t* length) {
  char rank[16] = "", gpu[16] = "", line[RANKMAP_WIRE_MAX_WIDTH], check[RANKMAP_WIRE_MAX_WIDTH];
  struct rankmap_wire_text rank_out = {rank, 0, sizeof rank}, gpu_out = {gpu, 0, sizeof gpu};
  struct rankmap_wire_text out = {line, 0, sizeof line};
  struct rankmap_wire_row back;
  if (row->rank < 0) return RANKMAP_WIRE_RANK_RANGE;
  rankmap_wire_put_number(&rank_out, (uint64_t)row->rank, 10, 1);
  if (row->gpu >= 0) rankmap_wire_put_number(&gpu_out, (uint64_t)row->gpu, 10, 1);
  const char* const columns[RANKMAP_WIRE_COLUMNS] = {rank,        row->host,      gpu,
                                                     row->gpu_id, row->node_gpus, row->nic,
                                                     row->cpus,   row->memory,    row->flags};
  for (int i = 0; i < RANKMAP_WIRE_COLUMNS; ++i) {
    if (!is_column(columns[i])) return i == HOST ? RANKMAP_WIRE_HOST : RANKMAP_WIRE_FIELD;
    put_column(&out, columns[i], widths && i + 1 < RANKMAP_WIRE_COLUMNS ? widths[i] : 0);
    if (i + 1 < RANKMAP_WIRE_COLUMNS) rankmap_wire_put(&out, " ");
  }
  const size_t total = width ? width : out.length + 1;
  if (out.length + 1 > total || total > RANKMAP_WIRE_MAX_WIDTH) return RANKMAP_WIRE_TOO_LONG;
  memset(buffer, ' ', total);
  memcpy(buffer, line, out.length);
  buffer[total - 1] = '\n';
  *length = total;
  memcpy(check, buffer, total);
  return rankmap_wire_parse_line(check, total, row->rank, &back, NULL);
}
