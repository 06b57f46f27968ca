#include "adapters/jobs/training/text_data.h"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <system_error>

#include <fmt/format.h>

#include "runtime/core/keyed_random.h"
#include "runtime/core/name_hash.h"

namespace rrfp {
namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
    throw std::invalid_argument(fmt::format("data.text = \"{}\": {}", path, why));
}

std::string read_text(const std::string& path) {
    if (std::filesystem::is_directory(path)) refuse(path, "is a folder; name a text file in it");
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        refuse(path, fmt::format("cannot be read: {}; give the path of a text, relative to the job "
                                 "file",
                                 std::generic_category().message(errno)));
    }
    std::string text{std::istreambuf_iterator<char>(file), {}};
    if (text.empty()) refuse(path, "is empty; give a text to train on");
    if (const std::size_t nul = text.find('\0'); nul != std::string::npos) {
        refuse(path, fmt::format("is binary: byte {} is NUL; give a plain text", nul));
    }
    return text;
}

std::span<const std::uint8_t> bytes_of(const std::string& text) {
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

std::span<const std::uint8_t> draw(std::span<const std::uint8_t> part, std::size_t window,
                                   std::uint64_t bits) {
    return part.subspan(bits % (part.size() - window + 1), window);
}

}  // namespace

TextData::TextData(const std::string& path, double validation_fraction, int sequence)
    : path_(path),
      validation_fraction_(validation_fraction),
      text_(read_text(path)),
      train_bytes_(text_.size() - static_cast<std::size_t>(validation_fraction *
                                                           static_cast<double>(text_.size()))),
      window_(static_cast<std::size_t>(sequence) + 1) {
    require("training", train_bytes_);
}

TextData::TextData(const DataSection& data, int sequence)
    : TextData(data.text, data.validation_fraction, sequence) {
    if (!data.text_file.known()) return;
    const FileIdentity now = identity();
    if (now == data.text_file) return;
    refuse(path_, fmt::format("has changed since the job was checked: {}, now {}; start the job "
                              "again",
                              to_text(data.text_file), to_text(now)));
}

void TextData::require_validation() const { require("validation", validation_part().size()); }

void TextData::require(const char* part, std::size_t bytes) const {
    if (bytes >= window_) return;
    refuse(path_, fmt::format("its {} part has {} bytes, a sample of model.sequence = {} needs {}; "
                              "give a longer text, a shorter sequence or another "
                              "data.validation_fraction (now {})",
                              part, bytes, window_ - 1, window_, validation_fraction_));
}

std::span<const std::uint8_t> TextData::train(const SampleKey& key) const {
    return draw(train_part(), window_,
                keyed_bits({key.seed, name_hash("training text"), key.iteration, key.microbatch,
                            key.sample}));
}

std::span<const std::uint8_t> TextData::validation(const SampleKey& key) const {
    require_validation();
    return draw(validation_part(), window_,
                keyed_bits({key.seed, name_hash("validation text"), key.microbatch, key.sample}));
}

std::span<const std::uint8_t> TextData::train_part() const {
    return bytes_of(text_).first(train_bytes_);
}

std::span<const std::uint8_t> TextData::validation_part() const {
    return bytes_of(text_).subspan(train_bytes_);
}

}  // namespace rrfp
