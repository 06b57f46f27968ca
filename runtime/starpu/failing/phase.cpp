#include "runtime/starpu/failing/phase.h"

namespace rrfp {
namespace {

void append_after(SafeLine& line, std::int64_t iteration) {
    if (iteration > 0) {
        line << "after iteration " << iteration;
    } else {
        line << "before the first iteration";
    }
}

}  // namespace

void append(SafeLine& line, Phase phase, std::int64_t iteration) {
    switch (phase) {
        case Phase::unknown:
            line << "outside an iteration";
            return;
        case Phase::starting:
            line << "while it started";
            return;
        case Phase::loading:
            line << "while it loaded a checkpoint";
            return;
        case Phase::iteration:
            line << "in iteration " << iteration;
            return;
        case Phase::evaluation:
            line << "in the evaluation ";
            return append_after(line, iteration);
        case Phase::waiting:
        case Phase::between:
            line << "between iterations, ";
            return append_after(line, iteration);
        case Phase::step:
            line << "in the optimizer step of iteration " << iteration;
            return;
        case Phase::checkpoint:
            line << "while it wrote a checkpoint ";
            return append_after(line, iteration);
        case Phase::report:
            line << "while it gathered the report";
            return;
        case Phase::shutting_down:
            line << "while it shut down";
            return;
        case Phase::leaving:
            line << "after its work, while it left MPI";
            return;
    }
}

std::string text_of(Phase phase, std::int64_t iteration) {
    SafeLine line;
    append(line, phase, iteration);
    return std::string(line.text());
}

bool is_work(Phase phase) {
    switch (phase) {
        case Phase::unknown:
        case Phase::starting:
        case Phase::loading:
        case Phase::between:
        case Phase::step:
        case Phase::checkpoint:
        case Phase::report:
            return true;
        case Phase::iteration:
        case Phase::evaluation:
        case Phase::waiting:
        case Phase::shutting_down:
        case Phase::leaving:
            return false;
    }
    return false;
}

}  // namespace rrfp
