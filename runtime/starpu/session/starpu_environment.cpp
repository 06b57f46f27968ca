#include "runtime/starpu/session/starpu_environment.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <stdexcept>
#include <string_view>
#include <unistd.h>

namespace rrfp {
namespace {

/// What is set below, whatever it was: nobody need be told.
constexpr std::array replaced = {"STARPU_HOME", "STARPU_PERF_MODEL_DIR", "STARPU_PERF_MODEL_PATH",
                                 "STARPU_HOSTNAME"};

bool is_number(std::string_view text) {
    constexpr std::size_t most_digits = 6;
    return !text.empty() && text.size() <= most_digits &&
           text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// What a user may want of StarPU. It aborts where a number that it reads is none.
bool is_kept(const std::string& name) {
    const char* value = std::getenv(name.c_str());
    const std::string_view text = value != nullptr ? value : "";
    if (name == "STARPU_SILENT") return is_number(text);
    return name == "STARPU_TRACE_BUFFER_SIZE" && is_number(text) && text.front() != '0';
}

/// The names of the variables that StarPU would read.
std::vector<std::string> starpu_variables() {
    std::vector<std::string> names;
    for (char** pair = environ; pair != nullptr && *pair != nullptr; ++pair) {
        const std::string_view text(*pair);
        if (text.starts_with("STARPU_")) names.emplace_back(text.substr(0, text.find('=')));
    }
    std::ranges::sort(names);
    return names;
}

void set(const char* name, const std::string& value) {
    if (setenv(name, value.c_str(), 1) != 0) {
        throw std::runtime_error(std::string("setenv failed for ") + name);
    }
}

void set_binding(const std::optional<Binding>& binding) {
    const char* none = binding ? "0" : "1";
    set("STARPU_WORKERS_NOBIND", none);
    set("STARPU_MPI_NOBIND", none);
    if (binding) {
        set("STARPU_WORKERS_CPUID", std::to_string(binding->worker_pu));
        set("STARPU_MPI_THREAD_CPUID", std::to_string(binding->progress_pu));
    }
}

void set_trace(const std::string& folder) {
    set("STARPU_GENERATE_TRACE", "0");
    set("STARPU_FXT_TRACE", folder.empty() ? "0" : "1");
    if (!folder.empty()) {
        set("STARPU_FXT_PREFIX", folder);
        set("STARPU_FXT_SUFFIX", trace_file_stem);
    }
}

}  // namespace

std::vector<std::string> ignored_starpu_variables() {
    std::vector<std::string> names = starpu_variables();
    std::erase_if(names, [](const std::string& name) {
        return is_kept(name) || std::ranges::find(replaced, name) != replaced.end();
    });
    return names;
}

void set_starpu_environment(const std::optional<Binding>& binding, const std::string& trace_folder,
                            const std::string& home) {
    for (const std::string& name : starpu_variables()) {
        if (!is_kept(name)) unsetenv(name.c_str());
    }
    if (std::getenv("STARPU_SILENT") == nullptr) set("STARPU_SILENT", "1");
    set("STARPU_HOME", home);
    set("STARPU_MPI_THREAD_MULTIPLE_SEND", "0");
    set_binding(binding);
    set_trace(trace_folder);
}

}  // namespace rrfp
