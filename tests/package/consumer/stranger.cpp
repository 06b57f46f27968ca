// A stranger's program: it sees the installed headers and nothing else.

#include <cstdio>

#include "runtime/core/version.h"

int main() {
    std::printf("built with rrfp %.*s\n", static_cast<int>(rrfp::version.size()), rrfp::version.data());
    return 0;
}
