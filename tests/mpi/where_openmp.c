/* An OpenMP program of one rank: how many threads it has, whether each has CPUs of its own, and where
 * they may run all together. */
#define _GNU_SOURCE
#include <omp.h>
#include <sched.h>
#include <stdio.h>

int main(void) {
  cpu_set_t all;
  int threads = 0, cpus = 0;
  CPU_ZERO(&all);
#pragma omp parallel reduction(+ : threads, cpus)
  {
    cpu_set_t mine;
    sched_getaffinity(0, sizeof mine, &mine);
    threads += 1;
    cpus += CPU_COUNT(&mine);
#pragma omp critical
    CPU_OR(&all, &all, &mine);
  }
  printf("threads %d each_own %s cpus", threads, cpus == CPU_COUNT(&all) ? "yes" : "no");
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &all)) printf(" %d", cpu);
  puts("");
  return 0;
}
