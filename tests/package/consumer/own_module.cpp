// A stranger's stage: what the headers of rrfp::autograd include is found without another word.

#include "adapters/autograd/stage_module.h"

static_assert(sizeof(rrfp::StageModule) > 0);
