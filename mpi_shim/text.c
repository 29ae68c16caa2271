#define _GNU_SOURCE
#include "mpi_shim/text.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void rankmap_append(char* buffer, size_t capacity, const char* format, ...) {
  const size_t length = strlen(buffer);
  va_list arguments;
  if (length + 1 >= capacity) return;
  va_start(arguments, format);
  vsnprintf(buffer + length, capacity - length, format, arguments);
  va_end(arguments);
}

long rankmap_number(const char* text) {
  long value = 0;
  if (!text || !*text) return -1;
  for (; *text; ++text) {
    if (*text < '0' || *text > '9') return -1;
    value = value * 10 + (*text - '0');
    if (value > 0x7fffffffL) return -1;
  }
  return value;
}

const char* rankmap_variable(const char* name) {
  const char* value = name ? getenv(name) : NULL;
  return value && *value ? value : NULL;
}

void rankmap_system_path(char* buffer, size_t capacity, const char* path) {
  const char* root = rankmap_variable("RANKMAP_SYSROOT");
  snprintf(buffer, capacity, "%s%s", root ? root : "", path);
}

long rankmap_read_start(const char* path, char* buffer, size_t capacity) {
  const int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return -1;
  const ssize_t got = read(file, buffer, capacity - 1);
  close(file);
  if (got < 0) return -1;
  buffer[got] = '\0';
  return (long)got;
}
