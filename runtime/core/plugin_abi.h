#pragma once

/* The binary interface between rrfp and a plugin: plain C, so that a plugin does not depend on the
 * compiler, the standard library or the version that rrfp was built with. In C++ include
 * "runtime/core/plugin.h", which wraps it.
 *
 * A plugin is a shared library that exports `rrfp_plugin_entry`. rrfp calls the functions of one
 * arbiter one at a time, but not always on the same thread, and keeps the library loaded to the end
 * of the process. Later versions of RRFP_PLUGIN_ABI 1 may append members to a structure; `size`
 * says how many bytes its writer knew, and what its reader knows beyond them is null.
 */

#include <stdint.h> /* NOLINT: also for C */

#ifdef __cplusplus
extern "C" {
#endif

#define RRFP_PLUGIN_ABI 1u
#define RRFP_PLUGIN_EXPORT __attribute__((visibility("default")))

enum { RRFP_FORWARD = 0, RRFP_BACKWARD = 1, RRFP_WEIGHT_GRADIENT = 2 };

/* A task: kind, stage over the whole model, microbatch within the iteration. */
typedef struct rrfp_plugin_task {
    int32_t kind;
    int32_t stage;
    int32_t microbatch;
} rrfp_plugin_task;

/* What an arbiter of one rank is made from; lives as long as the call of `create`. */
typedef struct rrfp_plugin_setup {
    uint32_t size;
    int32_t rank; /* pipeline rank */
    int32_t ranks;
    int32_t stages;
    int32_t microbatches;
    int32_t split_weight;         /* 1 where weight gradients are tasks of their own */
    const int32_t* rank_of_stage; /* [stages] */
    const int32_t* limits;        /* [ranks], most microbatches in flight at each */
    const rrfp_plugin_task* hint; /* [hint_size], this rank's list of the hint order */
    int32_t hint_size;
} rrfp_plugin_setup;

/* What an arbiter chooses from: the ready tasks that every filter admits; lives as long as the call
 * of `choose`. */
typedef struct rrfp_plugin_candidates {
    uint32_t size;
    int32_t chunks;    /* stages of this rank, in stage order */
    int32_t in_flight; /* forwards dispatched minus released */
    int32_t forwards_dispatched;
    int32_t released;       /* backwards completed; weight gradients where they are split off */
    int32_t last_direction; /* RRFP_FORWARD, RRFP_BACKWARD; -1 before the first dispatch */
    const void* handle;     /* for the functions */
    /* The lowest microbatch of (kind, chunk). 1 where there is one, else 0. */
    int32_t (*first)(const void* handle, int32_t kind, int32_t chunk, rrfp_plugin_task* found);
    /* The one of `kind` that rrfp's own arbiters prefer: forwards and weight gradients of the
     * lowest microbatch, backwards of the highest chunk. 1 where there is one, else 0. */
    int32_t (*preferred)(const void* handle, int32_t kind, rrfp_plugin_task* found);
    /* 1 where `task` is one of the candidates, else 0. */
    int32_t (*contains)(const void* handle, const rrfp_plugin_task* task);
} rrfp_plugin_candidates;

enum {
    /* The arbiter needs a hint order. */
    RRFP_ARBITER_NEEDS_HINT = 1,
    /* Its choice depends only on the candidates and on what was dispatched, never on durations, the
     * time or chance: ranks of a group that choose for themselves come to one choice. */
    RRFP_ARBITER_AGREES = 2,
    /* It places weight gradients itself. Where not, they run when it waits. */
    RRFP_ARBITER_RANKS_WEIGHT_GRADIENTS = 4
};

/* One arbiter. Functions that return int32_t return -1 to report an error, which ends the run.
 * Those marked so may be null. */
typedef struct rrfp_plugin_arbiter {
    uint32_t size;
    uint32_t flags;
    const char* name; /* what `[schedule] arbiter` names; not one of rrfp's own */
    /* Null reports an error. */
    void* (*create)(const rrfp_plugin_setup* setup);
    void (*destroy)(void* self);
    /* Writes the task to run, one of the candidates, and returns 1; or returns 0: wait. It is asked
     * again when something changes at this rank, and now and then while nothing does. A choice that
     * `dispatched` does not follow must leave no trace. */
    int32_t (*choose)(void* self, const rrfp_plugin_candidates* candidates,
                      rrfp_plugin_task* chosen);
    int32_t (*begin_iteration)(void* self);                          /* may be null */
    int32_t (*ready)(void* self, const rrfp_plugin_task* task);      /* may be null */
    int32_t (*dispatched)(void* self, const rrfp_plugin_task* task); /* may be null */
    int32_t (*completed)(void* self, const rrfp_plugin_task* task,
                         double milliseconds); /* may be null */
    /* The text of the last error on this thread; may be null. */
    const char* (*last_error)(void);
} rrfp_plugin_arbiter;

/* What a plugin exports. `abi` comes first in every version. */
typedef struct rrfp_plugin {
    uint32_t abi; /* RRFP_PLUGIN_ABI */
    uint32_t arbiter_count;
    const rrfp_plugin_arbiter* const* arbiters; /* [arbiter_count] */
} rrfp_plugin;

RRFP_PLUGIN_EXPORT const rrfp_plugin* rrfp_plugin_entry(void);

#ifdef __cplusplus
}
#endif
