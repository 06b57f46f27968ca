/* Plugins that must be refused, each by the macro it is compiled with, and with BROKEN_OLD one that
 * knows the first members alone and is accepted; in C, which the interface promises to work from. */

#include "runtime/core/plugin_abi.h"

#include <stddef.h>

static void* create(const rrfp_plugin_setup* setup) { return (void*)setup; }
static void destroy(void* self) { (void)self; }
static int32_t choose(void* self, const rrfp_plugin_candidates* candidates,
                      rrfp_plugin_task* chosen) {
    (void)self;
    return candidates->preferred(candidates->handle, RRFP_FORWARD, chosen);
}

#if defined(BROKEN_TAKEN)
#define NAME "bf"
#else
#define NAME "own"
#endif

static const rrfp_plugin_arbiter arbiter = {
#if defined(BROKEN_OLD)
    .size = offsetof(rrfp_plugin_arbiter, begin_iteration),
    .ready = (int32_t(*)(void*, const rrfp_plugin_task*))1, /* beyond its size: must not be read */
#elif defined(BROKEN_SIZE)
    .size = offsetof(rrfp_plugin_arbiter, choose),
#else
    .size = sizeof(rrfp_plugin_arbiter),
#endif
    .name = NAME,
    .create = create,
    .destroy = destroy,
#if !defined(BROKEN_CHOICE)
    .choose = choose,
#endif
};
static const rrfp_plugin_arbiter* const arbiters[] = {&arbiter};
static const rrfp_plugin plugin = {
#if defined(BROKEN_ABI)
    .abi = RRFP_PLUGIN_ABI + 1,
#else
    .abi = RRFP_PLUGIN_ABI,
#endif
#if !defined(BROKEN_EMPTY)
    .arbiter_count = 1,
#endif
#if !defined(BROKEN_LIST)
    .arbiters = arbiters,
#endif
};

#if defined(BROKEN_ENTRY)
#define rrfp_plugin_entry another_entry
RRFP_PLUGIN_EXPORT const rrfp_plugin* another_entry(void);
#endif

#if defined(BROKEN_SYMBOL)
int a_function_that_is_nowhere(void);
#endif

const rrfp_plugin* rrfp_plugin_entry(void) {
    (void)choose;
    (void)arbiters;
#if defined(BROKEN_SYMBOL)
    if (a_function_that_is_nowhere()) return NULL;
#endif
    return &plugin;
}
