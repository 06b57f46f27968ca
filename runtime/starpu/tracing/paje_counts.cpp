#include "runtime/starpu/tracing/paje_counts.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>

namespace rrfp {
namespace {

/// "%EventDef <name> <number>": the header gives each kind of event a number of its own.
bool read_definition(const std::string& line, std::map<std::string, std::string>& name_of) {
    std::istringstream words(line);
    std::string mark;
    std::string name;
    std::string number;
    // "%EventDef" or "% EventDef"
    words >> mark;
    if (mark == "%") words >> mark;
    if (mark != "%EventDef" && mark != "EventDef") return false;
    words >> name >> number;
    name_of[number] = name;
    return true;
}

}  // namespace

PajeCounts count_paje(const std::string& file) {
    std::ifstream stream(file);
    std::map<std::string, std::string> name_of;
    std::map<std::string, std::uint64_t> count;
    std::string line;
    while (std::getline(stream, line)) {
        if (line.starts_with('%')) {
            read_definition(line, name_of);
        } else {
            const auto name = name_of.find(line.substr(0, line.find_first_of(" \t")));
            if (name != name_of.end()) ++count[name->second];
        }
    }
    if (name_of.empty()) throw std::runtime_error(file + " cannot be read as a Paje trace");
    return {.states = count["PajeSetState"] + count["PajePushState"],
            .links = std::min(count["PajeStartLink"], count["PajeEndLink"])};
}

}  // namespace rrfp
