/* Loads a program's MPI part out of the global scope (RTLD_LOCAL), as Python does with extension
 * modules. loader PLUGIN [ARGUMENTS...] */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char** argv) {
  void* const plugin = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  if (!plugin) {
    fprintf(stderr, "loader: %s\n", dlerror());
    return 1;
  }
  int (*run)(int, char**);
  *(void**)(&run) = dlsym(plugin, "plugin_main");
  return run(argc - 1, argv + 1);
}
