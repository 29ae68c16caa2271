/* Texts in fixed buffers: cut when full, always ended, no allocation. */
#ifndef RANKMAP_MPI_SHIM_TEXT_H
#define RANKMAP_MPI_SHIM_TEXT_H

#include <stddef.h>

/* Appends to the text in a buffer. */
void rankmap_append(char* buffer, size_t capacity, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

/* A decimal number >= 0 and nothing else; -1: it is not one, or above 2^31 - 1. */
long rankmap_number(const char* text);

/* The value of a variable, NULL where unset or empty. */
const char* rankmap_variable(const char* name);

/* Where the machine's files are: RANKMAP_SYSROOT (for tests) before the path. */
void rankmap_system_path(char* buffer, size_t capacity, const char* path);

/* The start of a file, ended; -1: it cannot be read. Returns the length. */
long rankmap_read_start(const char* path, char* buffer, size_t capacity);

#endif
