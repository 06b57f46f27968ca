#include "adapters/files/tensor_file.h"

#include <algorithm>
#include <array>
#include <bit>
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

namespace rrfp {
namespace {

static_assert(std::endian::native == std::endian::little, "safetensors is little-endian");

constexpr const char* notes_key = "__metadata__";
constexpr std::size_t alignment = 8;  // of the first tensor, as the format advises

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
    throw std::runtime_error(fmt::format("{}: {}", path, why));
}

std::string text_of(const NamedTensor& tensor) {
    return fmt::format("F32[{}]", fmt::join(tensor.shape, ","));
}

/// One tensor's entry in a header.
struct Entry {
    std::string type;
    std::vector<std::int64_t> shape;
    std::size_t begin = 0;
    std::size_t end = 0;

    explicit Entry(const nlohmann::json& json)
        : type(json.at("dtype")),
          shape(json.at("shape").get<std::vector<std::int64_t>>()),
          begin(json.at("data_offsets").at(0)),
          end(json.at("data_offsets").at(1)) {}

    std::string text() const { return fmt::format("{}[{}]", type, fmt::join(shape, ",")); }
};

std::string header_of(std::span<const NamedTensor> tensors, const TensorFileNotes& notes) {
    nlohmann::json header;
    header[notes_key] = notes;
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

/// A file of the format, its header read.
class Reader {
  public:
    explicit Reader(const std::string& path) : path_(path), file_(path, std::ios::binary) {
        if (!file_) {
            refuse(path, fmt::format("cannot be read: {}", std::generic_category().message(errno)));
        }
        const std::uintmax_t size = std::filesystem::file_size(path);
        std::uint64_t length = 0;
        if (size >= sizeof length) file_.read(reinterpret_cast<char*>(&length), sizeof length);
        if (size < sizeof length || length > size - sizeof length) {
            refuse(path, fmt::format("cut short or no checkpoint: {} bytes", size));
        }
        std::string text(length, '\0');
        file_.read(text.data(), static_cast<std::streamsize>(length));
        data_begin_ = sizeof length + length;
        data_bytes_ = size - data_begin_;
        parse(text);
    }

    const TensorFileNotes& notes() const { return notes_; }

    void check(std::span<const NamedTensor> tensors) const {
        for (const NamedTensor& tensor : tensors) check(tensor);
        for (const auto& [name, entry] : entries_) {
            const bool expected = std::ranges::any_of(
                tensors, [&](const NamedTensor& tensor) { return tensor.name == name; });
            if (!expected) {
                refuse(path_, fmt::format("{}: found {}, expected none of that name: it is of "
                                          "another model or rank",
                                          name, entry.text()));
            }
        }
    }

    void read(const NamedTensor& tensor) {
        file_.seekg(static_cast<std::streamoff>(data_begin_ + entries_.at(tensor.name).begin));
        file_.read(reinterpret_cast<char*>(tensor.bytes.data()),
                   static_cast<std::streamsize>(tensor.bytes.size()));
        if (!file_) refuse(path_, fmt::format("{}: cannot be read", tensor.name));
    }

  private:
    void parse(const std::string& text) {
        try {
            const nlohmann::json header = nlohmann::json::parse(text);
            for (const auto& [name, value] : header.items()) {
                if (name == notes_key) {
                    notes_ = value.get<TensorFileNotes>();
                } else {
                    entries_.emplace(name, Entry(value));
                }
            }
        } catch (const nlohmann::json::exception& error) {
            refuse(path_,
                   fmt::format("its header is damaged or it is no checkpoint: {}", error.what()));
        }
    }

    void check(const NamedTensor& tensor) const {
        const auto found = entries_.find(tensor.name);
        if (found == entries_.end()) {
            refuse(path_, fmt::format("{}: expected {}, found none of that name", tensor.name,
                                      text_of(tensor)));
        }
        const Entry& entry = found->second;
        if (entry.type != "F32" || entry.shape != tensor.shape) {
            refuse(path_, fmt::format("{}: expected {}, found {}", tensor.name, text_of(tensor),
                                      entry.text()));
        }
        if (entry.begin > entry.end || entry.end - entry.begin != tensor.bytes.size()) {
            refuse(path_, fmt::format("{}: its place in the file, {} to {}, is not its size, {}",
                                      tensor.name, entry.begin, entry.end, tensor.bytes.size()));
        }
        if (entry.end > data_bytes_) {
            refuse(path_, fmt::format("cut short: {} ends at byte {}, the file at {}", tensor.name,
                                      data_begin_ + entry.end, data_begin_ + data_bytes_));
        }
    }

    std::string path_;
    std::ifstream file_;
    std::size_t data_begin_ = 0;
    std::size_t data_bytes_ = 0;
    std::map<std::string, Entry> entries_;
    TensorFileNotes notes_;
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
