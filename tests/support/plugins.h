#pragma once

#include <string>

/// The path of a plugin of tests/support/plugins; RRFP_TEST_PLUGINS is their folder.
inline std::string test_plugin(const std::string& name) {
    return std::string(RRFP_TEST_PLUGINS) + "/" + name + ".so";
}
