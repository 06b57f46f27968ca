#include "adapters/files/tensor_file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "adapters/files/durable_file.h"
#include "adapters/files/safetensors_header.h"
#include "runtime/system/regular_file.h"

namespace rrfp {
namespace {

constexpr std::size_t alignment = 8;  // of the first tensor, as the format advises

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
    throw std::runtime_error(fmt::format("{}: {}", path, why));
}

std::string text_of(const NamedTensor& tensor) {
    return fmt::format("F32[{}]", fmt::join(tensor.shape, ","));
}

std::string text_of(const SafetensorsEntry& entry) {
    return fmt::format("{}[{}]", entry.type, fmt::join(entry.shape, ","));
}

std::string header_of(std::span<const NamedTensor> tensors, const TensorFileNotes& notes) {
    nlohmann::json header;
    header[safetensors_notes_key] = notes;
    std::size_t place = 0;
    for (const NamedTensor& tensor : tensors) {
        header[tensor.name] = {{"dtype", "F32"},
                               {"shape", tensor.shape},
                               {"data_offsets", {place, place + tensor.bytes.size()}}};
        place += tensor.bytes.size();
    }
    std::string text = header.dump();
    text.resize((text.size() + alignment - 1) / alignment * alignment, ' ');
    return text;
}

/// `path`, for what is no file may be waited for when it is opened.
std::string require_regular(const std::string& path) try {
    RegularFile(path, {.remedy = "restore the file"});
    return path;
} catch (const FileFault& fault) {
    throw std::runtime_error(fault.what());
}

/// A file of the format, its header read.
class Reader {
  public:
    explicit Reader(const std::string& path)
        : path_(require_regular(path)), file_(path, std::ios::binary) {
        if (!file_) {
            refuse(path, fmt::format("cannot be read: {}", std::generic_category().message(errno)));
        }
        try {
            header_ = read_safetensors_header(file_, std::filesystem::file_size(path));
        } catch (const SafetensorsFault& fault) {
            refuse(path, fault.what());
        }
    }

    const TensorFileNotes& notes() const { return header_.notes; }

    void check(std::span<const NamedTensor> tensors) const {
        for (const NamedTensor& tensor : tensors) check(tensor);
        for (const auto& [name, entry] : header_.tensors) {
            const bool expected =
                std::ranges::find(tensors, name, &NamedTensor::name) != tensors.end();
            if (!expected) {
                refuse(path_, fmt::format("{}: found {}, expected none of that name: it is of "
                                          "another model or rank",
                                          name, text_of(entry)));
            }
        }
    }

    void read(const NamedTensor& tensor) {
        file_.seekg(static_cast<std::streamoff>(header_.data_begin +
                                                header_.tensors.at(tensor.name).begin));
        file_.read(reinterpret_cast<char*>(tensor.bytes.data()),
                   static_cast<std::streamsize>(tensor.bytes.size()));
        if (!file_) refuse(path_, fmt::format("{}: cannot be read", tensor.name));
    }

  private:
    void check(const NamedTensor& tensor) const {
        const auto found = header_.tensors.find(tensor.name);
        if (found == header_.tensors.end()) {
            refuse(path_, fmt::format("{}: expected {}, found none of that name", tensor.name,
                                      text_of(tensor)));
        }
        const SafetensorsEntry& entry = found->second;
        if (entry.type != "F32" || entry.shape != tensor.shape) {
            refuse(path_, fmt::format("{}: expected {}, found {}", tensor.name, text_of(tensor),
                                      text_of(entry)));
        }
        if (entry.end - entry.begin != tensor.bytes.size()) {
            refuse(path_, fmt::format("{}: its place in the file, {} to {}, is not its size, {}",
                                      tensor.name, entry.begin, entry.end, tensor.bytes.size()));
        }
    }

    std::string path_;
    std::ifstream file_;
    SafetensorsHeader header_;
};

}  // namespace

void write_tensor_file(const std::string& path, std::span<const NamedTensor> tensors,
                       const TensorFileNotes& notes) {
    const std::string header = header_of(tensors, notes);
    const std::array<std::uint64_t, 1> length = {header.size()};
    std::vector<std::span<const std::byte>> pieces = {std::as_bytes(std::span(length)),
                                                      std::as_bytes(std::span(header))};
    for (const NamedTensor& tensor : tensors) pieces.emplace_back(tensor.bytes);
    write_durably(path, pieces);
}

TensorFileNotes read_tensor_file(const std::string& path, std::span<const NamedTensor> tensors) {
    Reader reader(path);
    reader.check(tensors);
    for (const NamedTensor& tensor : tensors) reader.read(tensor);
    return reader.notes();
}

}  // namespace rrfp
