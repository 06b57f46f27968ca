#include "adapters/jobs/training/text_data.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "runtime/core/keyed_random.h"
#include "runtime/core/name_hash.h"
#include "runtime/system/regular_file.h"

namespace rrfp {
namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
    throw std::invalid_argument(fmt::format("data.text = \"{}\": {}", path, why));
}

void require_text(const std::string& path, const std::string& bytes) {
    if (const std::size_t nul = bytes.find('\0'); nul != std::string::npos) {
        refuse(path, fmt::format("is binary: byte {} is NUL; give a plain text", nul));
    }
}

std::string read_text(const std::string& path) {
    constexpr FileKind kind{.remedy = "give the path of a text, relative to the job file",
                            .most_bytes = std::uint64_t{16} << 30};
    const RegularFile file(path, kind);
    if (file.size() == 0) refuse(path, "is empty; give a text to train on");
    // What is binary shows it early, before all of it is in memory.
    std::string begin(std::min<std::uint64_t>(file.size(), 1 << 16), '\0');
    file.read(0, std::as_writable_bytes(std::span(begin)));
    require_text(path, begin);
    std::string text = file.content();
    require_text(path, text);
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
