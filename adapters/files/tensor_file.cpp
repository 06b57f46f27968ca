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
#include "adapters/files/sha256.h"
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

FileDigest digest_of(std::span<const std::span<const std::byte>> pieces) {
    Sha256 sum;
    FileDigest digest;
    for (const auto& piece : pieces) {
        sum.add(piece);
        digest.bytes += piece.size();
    }
    digest.sha256 = sum.hex();
    return digest;
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

    /// Reads all of `tensors`, which are all of the file's, from its first byte to its last.
    FileDigest read(std::span<const NamedTensor> tensors) {
        Sha256 sum;
        std::string header(header_.data_begin, '\0');
        file_.seekg(0);
        read("its header", std::as_writable_bytes(std::span(header)), sum);
        FileDigest digest{.bytes = header.size(), .sha256 = {}};
        for (const NamedTensor* tensor : in_file_order(tensors)) {
            read(tensor->name, tensor->bytes, sum);
            digest.bytes += tensor->bytes.size();
        }
        digest.sha256 = sum.hex();
        return digest;
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

    void read(const std::string& what, std::span<std::byte> bytes, Sha256& sum) {
        file_.read(reinterpret_cast<char*>(bytes.data()),
                   static_cast<std::streamsize>(bytes.size()));
        if (!file_) refuse(path_, fmt::format("{}: cannot be read", what));
        sum.add(bytes);
    }

    std::vector<const NamedTensor*> in_file_order(std::span<const NamedTensor> tensors) const {
        std::vector<const NamedTensor*> order;
        for (const NamedTensor& tensor : tensors) order.push_back(&tensor);
        std::ranges::stable_sort(order, {}, [this](const NamedTensor* tensor) {
            const SafetensorsEntry& entry = header_.tensors.at(tensor->name);
            return std::pair(entry.begin, entry.end);
        });
        return order;
    }

    std::string path_;
    std::ifstream file_;
    SafetensorsHeader header_;
};

}  // namespace

FileDigest write_tensor_file(const std::string& path, std::span<const NamedTensor> tensors,
                             const TensorFileNotes& notes) {
    const std::string header = header_of(tensors, notes);
    const std::array<std::uint64_t, 1> length = {header.size()};
    std::vector<std::span<const std::byte>> pieces = {std::as_bytes(std::span(length)),
                                                      std::as_bytes(std::span(header))};
    for (const NamedTensor& tensor : tensors) pieces.emplace_back(tensor.bytes);
    write_durably(path, pieces);
    return digest_of(pieces);
}

TensorFileFacts read_tensor_file(const std::string& path, std::span<const NamedTensor> tensors) {
    Reader reader(path);
    reader.check(tensors);
    const FileDigest digest = reader.read(tensors);
    return {.notes = reader.notes(), .digest = digest};
}

}  // namespace rrfp
