#include "runtime/core/shared_library.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <elf.h>
#include <filesystem>
#include <fstream>
#include <vector>

#include <fmt/format.h>

namespace rrfp {
namespace {

namespace fs = std::filesystem;

template <class Record>
bool read(std::ifstream& file, std::uint64_t offset, Record* records, std::size_t count) {
    file.seekg(static_cast<std::streamoff>(offset));
    const auto bytes = static_cast<std::streamsize>(count * sizeof(Record));
    return static_cast<bool>(file.read(reinterpret_cast<char*>(records), bytes));
}

/// The bytes that the loader maps, as far as the file's own tables say; 0 for what is no library.
std::uint64_t mapped_bytes(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    Elf64_Ehdr header{};
    if (!read(file, 0, &header, 1) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
        header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_phentsize != sizeof(Elf64_Phdr)) {
        return 0;
    }
    std::uint64_t end = header.e_phoff + std::uint64_t{header.e_phnum} * sizeof(Elf64_Phdr);
    std::vector<Elf64_Phdr> segments(header.e_phnum);
    if (!read(file, header.e_phoff, segments.data(), segments.size())) return end;
    for (const Elf64_Phdr& segment : segments) {
        if (segment.p_type == PT_LOAD) end = std::max(end, segment.p_offset + segment.p_filesz);
    }
    return end;
}

}  // namespace

std::optional<std::string> library_fault(const std::string& path) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (!fs::exists(status)) return std::nullopt;  // the loader says it with its own words
    if (!fs::is_regular_file(status)) return "is no regular file";
    const std::uintmax_t size = fs::file_size(path, error);
    const std::uint64_t wanted = mapped_bytes(path);
    if (error || size >= wanted) return std::nullopt;
    return fmt::format("is cut short: it has {} bytes of {}", size, wanted);
}

}  // namespace rrfp
