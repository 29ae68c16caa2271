/* GPU visibility: which GPUs the programs of this rank see, never one outside the list it inherited. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mpi_shim/gpus/devices.h"
#include "mpi_shim/gpus/driver.h"
#include "mpi_shim/gpus/list.h"
#include "mpi_shim/gpus/makers.h"
#include "mpi_shim/gpus/modes.h"
#include "mpi_shim/gpus/own.h"
#include "mpi_shim/placement.h"
#include "mpi_shim/text.h"

/* One rank's GPUs on their way from the plan into a variable. */
struct work {
  struct rankmap_placement* placement;
  const struct rankmap_gpu_maker* maker;
  struct rankmap_devices devices;
  struct rankmap_gpu own;
  const char* inherited; /* the maker's variable; NULL: not set */
  const char* inner;     /* the variable of the layer above that is set; NULL: none */
  struct rankmap_gpu_list outer, visible, chosen;
  char text[sizeof((struct rankmap_placement*)NULL)->gpu_planned];
};

#define DOUBT(work, ...) \
  rankmap_append((work)->placement->doubt, sizeof(work)->placement->doubt, __VA_ARGS__)

static int doubt_list(const struct work* work, const char* variable, const char* problem) {
  DOUBT(work, "%s=%.64s %s; it is kept. ", variable, getenv(variable), problem);
  return 0;
}

static const char* first_set(const char* const variables[2]) {
  for (int i = 0; i < 2; ++i)
    if (variables[i] && rankmap_variable(variables[i])) return variables[i];
  return NULL;
}

/* Some launchers write the same list into the variables of both layers, meaning it once. Read as places
 * in the outer list its numbers lead nowhere. */
static int is_same_list(const struct work* work) {
  return work->inherited && strcmp(getenv(work->inner), work->inherited) == 0 &&
         work->visible.count < work->outer.count;
}

/* What the driver and the layer above it show. 0: a list that we cannot follow. */
static int read_visible(struct work* work) {
  const struct rankmap_gpu_maker* const maker = work->maker;
  static const struct rankmap_list_rules inner_rules = {RANKMAP_TWICE_HIDES_ALL, 0, 0};
  struct rankmap_list_rules rules = maker->rules;
  rules.parts = work->devices.names_parts;
  work->inherited = getenv(maker->variable);
  work->inner = first_set(maker->inner);
  rankmap_list_usable(&work->devices, &work->visible);
  const char* problem = NULL;
  if (work->inherited)
    problem = rankmap_read_list(work->inherited, &rules, &work->devices, NULL, &work->visible);
  if (problem) return doubt_list(work, maker->variable, problem);
  if (!work->inner) return 1;
  work->outer = work->visible;
  problem = rankmap_read_list(getenv(work->inner), &inner_rules, &work->devices, &work->outer,
                              &work->visible);
  if (problem) return doubt_list(work, work->inner, problem);
  if (is_same_list(work)) work->visible = work->outer;
  return 1;
}

/* The plan's GPU as the list shows it. 0: it does not. */
static int find_visible(struct work* work) {
  struct rankmap_gpu* const own = &work->own;
  const struct rankmap_gpu* const shown = rankmap_find_in_list(&work->visible, own);
  if (!work->inherited && !work->inner) return 1;
  if (!shown) {
    const char* const variable = work->inner ? work->inner : work->maker->variable;
    DOUBT(work, "GPU %d of the plan is not in %s=%.64s, which is kept. ", work->placement->row.gpu,
          variable, getenv(variable));
    return 0;
  }
  if (shown == own) return 1;
  own->device = shown->device;
  own->text = shown->text;
  own->length = shown->length;
  return 1;
}

/* A mask shows devices in the driver's order, so other orders are no use. */
static int is_in_drivers_order(const struct work* work) {
  const struct rankmap_gpu_list* const list = &work->chosen;
  for (int i = 1; i < list->count; ++i)
    if (list->gpu[i].device <= list->gpu[i - 1].device) return 0;
  return 1;
}

/* Ordinals, as many programs read the variable as numbers; uuids where the inherited list has them,
 * where ordinals do not name the device (MIG), and where MPS counts them anew. */
static int write_list(struct work* work) {
  const int mps = work->maker->has_mps && rankmap_mps_is_used();
  const int wants_uuids = mps || work->visible.has_uuids || work->own.device < 0;
  if (wants_uuids &&
      rankmap_write_uuids(&work->chosen, &work->devices, work->text, sizeof work->text))
    return 1;
  if (!rankmap_write_ordinals(&work->chosen, &work->devices, work->text, sizeof work->text)) {
    DOUBT(work, "the list for %s has too many or nameless GPUs; it is kept. ",
          work->maker->variable);
    return 0;
  }
  if (mps)
    rankmap_append(work->placement->note, sizeof work->placement->note,
                   "under MPS GPUs should go by uuid, which this driver does not tell. ");
  return 1;
}

/* Is what the driver found, had it started before us, what we want? */
static int shows_chosen(const struct work* work) {
  const struct rankmap_gpu_list* const visible = &work->visible;
  const int order_known = work->inherited || work->devices.ordinals_known;
  if (work->inherited && strcmp(work->inherited, work->text) == 0) return 1;
  if (visible->count != work->chosen.count || (visible->count > 1 && !order_known)) return 0;
  for (int i = 0; i < visible->count; ++i)
    if (visible->gpu[i].device < 0 || visible->gpu[i].device != work->chosen.gpu[i].device)
      return 0;
  return visible->count > 0;
}

/* The driver reads its variables once, when it starts. */
static int is_too_late(const struct work* work) {
  const struct rankmap_gpu_maker* const maker = work->maker;
  if (shows_chosen(work) || !rankmap_driver_is_open(maker->control_node, maker->numbered_node))
    return 0;
  DOUBT(work,
        "the %s driver was initialised before this rank was placed; its GPU choice came too late: "
        "use rankmap exec, or set %s=%.128s before the program starts. ",
        maker->driver, maker->variable, work->text);
  return 1;
}

/* Ordinals mean what we wrote only if the driver counts in PCI order. */
static int set_order(struct work* work) {
  const struct rankmap_gpu_maker* const maker = work->maker;
  if (!maker->order) return 1;
  setenv(maker->order, maker->pci_order, maker->overrides_order);
  const char* const value = getenv(maker->order);
  if (work->devices.ordinals_known || (value && strcmp(value, maker->pci_order) == 0)) return 1;
  DOUBT(work,
        "%s=%.32s makes the driver count unlike GPUs in an order that is not known; %s is "
        "left as it is. ",
        maker->order, value ? value : "", maker->variable);
  return 0;
}

/* The layer above sees the chosen ones, all of them, in our order. */
static void set_inner(const struct work* work) {
  char places[RANKMAP_MAX_LIST * 4] = "";
  if (!work->inner) return;
  for (int i = 0; i < work->chosen.count; ++i)
    rankmap_append(places, sizeof places, "%s%d", i ? "," : "", i);
  setenv(work->maker->inner[0], places, 1);
}

static void tell_planned(struct work* work) {
  struct rankmap_placement* const placement = work->placement;
  const struct rankmap_wire_row* const row = &placement->row;
  snprintf(placement->gpu_variable, sizeof placement->gpu_variable, "%s", work->maker->variable);
  if (*row->gpu_id)
    snprintf(placement->gpu_planned, sizeof placement->gpu_planned, "%s", row->gpu_id);
  else
    snprintf(placement->gpu_planned, sizeof placement->gpu_planned, "%d", row->gpu);
  if (work->devices.note)
    rankmap_append(placement->note, sizeof placement->note, "%s", work->devices.note);
}

static void tell_device(const struct work* work) {
  struct rankmap_placement* const placement = work->placement;
  const int device = work->own.device;
  if (device >= 0 && device < work->devices.count)
    snprintf(placement->gpu_device, sizeof placement->gpu_device, "%s",
             work->devices.device[device].bus_id);
}

/* keep: only the report learns which GPU the plan means. */
static void keep(struct work* work) {
  char unsaid[RANKMAP_TEXT] = "";
  rankmap_find_own_gpu(&work->placement->row, &work->devices, &work->own, unsaid, sizeof unsaid);
  tell_device(work);
}

static void place(struct work* work, enum rankmap_gpu_mode mode) {
  struct rankmap_placement* const placement = work->placement;
  tell_planned(work);
  const int found = rankmap_find_own_gpu(&placement->row, &work->devices, &work->own,
                                         placement->doubt, sizeof placement->doubt);
  tell_device(work);
  if (!found || !read_visible(work) || !find_visible(work) ||
      !rankmap_choose_gpus(placement, mode, &work->devices, &work->visible, &work->own,
                           &work->chosen))
    return;
  if (work->maker->is_mask && !is_in_drivers_order(work)) {
    DOUBT(work, "%s shows GPUs in the driver's order, which %s GPUs are not in; it is kept. ",
          work->maker->variable, placement->gpu_mode);
    return;
  }
  if (!write_list(work)) return;
  snprintf(placement->gpu_planned, sizeof placement->gpu_planned, "%s", work->text);
  if (is_too_late(work) || !set_order(work)) return;
  if (work->devices.count == 0)
    rankmap_append(placement->note, sizeof placement->note,
                   "no GPU of the plan's maker (%s) is seen here, %s is set as planned. ",
                   work->maker->name, work->maker->variable);
  setenv(work->maker->variable, work->text, 1);
  set_inner(work);
}

void rankmap_place_gpu(struct rankmap_placement* placement) {
  struct work work;
  if (placement->row.gpu < 0) return;
  const enum rankmap_gpu_mode mode = rankmap_gpu_mode_of(placement);
  memset(&work, 0, sizeof work);
  work.placement = placement;
  work.maker = rankmap_gpu_maker_of(placement->row.flags);
  work.maker->devices(&work.devices);
  if (mode == RANKMAP_GPUS_KEEP)
    keep(&work);
  else
    place(&work, mode);
}
