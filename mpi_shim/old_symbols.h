/* The dl functions under the version that every glibc has: those of glibc 2.34 would make the loader of
 * an older one refuse the shim, and with it the program. Weak, because before 2.34 they live in
 * libdl.so.2, which a program without plugins may not have loaded. */
#ifndef RANKMAP_MPI_SHIM_OLD_SYMBOLS_H
#define RANKMAP_MPI_SHIM_OLD_SYMBOLS_H

#include <dlfcn.h>

#if defined(__x86_64__)
#define RANKMAP_OLDEST "GLIBC_2.2.5"
#elif defined(__aarch64__) || defined(__powerpc64__)
#define RANKMAP_OLDEST "GLIBC_2.17"
#elif defined(__riscv)
#define RANKMAP_OLDEST "GLIBC_2.27"
#endif

extern void* rankmap_dlsym(void* object, const char* name) __attribute__((weak));
extern void* rankmap_dlopen(const char* path, int flags) __attribute__((weak));
extern int rankmap_dladdr(const void* address, Dl_info* info) __attribute__((weak));

#ifdef RANKMAP_OLDEST
__asm__(".symver rankmap_dlsym, dlsym@" RANKMAP_OLDEST);
__asm__(".symver rankmap_dlopen, dlopen@" RANKMAP_OLDEST);
__asm__(".symver rankmap_dladdr, dladdr@" RANKMAP_OLDEST);
#else
#error "the oldest glibc version of this processor is not known: add it above"
#endif

#endif
