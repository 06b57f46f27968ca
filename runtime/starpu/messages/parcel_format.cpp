#include "runtime/starpu/messages/parcel_format.h"

#include <array>
#include <cstring>
#include <utility>

#include <fmt/format.h>

namespace rrfp::parcel_format {
namespace {

constexpr std::uint64_t magic = 0x4C45'4352'4150'5252;  // "RRPARCEL"
constexpr std::uint32_t version = 1;
constexpr std::size_t alignment = 64;
constexpr std::uint32_t most_dimensions = 64;
constexpr std::uint32_t no_task = task_kinds;

enum class Kind : std::uint32_t { tensors, failure };

struct Header {
    std::uint64_t magic = parcel_format::magic;
    std::uint32_t version = parcel_format::version;
    Kind kind = Kind::tensors;
    std::uint64_t entries = 0;
    std::uint64_t bytes = 0;
    // Of a failure alone.
    std::int32_t rank = 0;
    std::int32_t stage = 0;
    std::int32_t microbatch = 0;
    std::uint32_t task_kind = 0;  // no_task without a task
    std::array<std::uint64_t, 2> reserved{};
};
static_assert(sizeof(Header) == 64);

struct Entry {
    std::uint32_t defined = 0;
    std::uint32_t dimensions = 0;
    DLDataType type{};
    std::uint32_t reserved = 0;
    DLDevice device{};
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;
    std::array<std::uint64_t, 2> spare{};
};
static_assert(sizeof(Entry) == 56);

std::size_t aligned(std::size_t offset) { return (offset + alignment - 1) / alignment * alignment; }

bool readable_by_host(const Tensor& tensor) {
    const DLDeviceType device = tensor->device.device_type;
    return device == kDLCPU || device == kDLCUDAHost || device == kDLCUDAManaged;
}

/// Header, entries and extents: what stands before the first element.
std::size_t description_bytes(const TensorList& tensors) {
    std::size_t bytes = sizeof(Header) + tensors.size() * sizeof(Entry);
    for (const Tensor& tensor : tensors) bytes += tensor.shape().size() * sizeof(std::int64_t);
    return bytes;
}

/// Whether the elements of the parcel's only tensor stand behind its headroom in the message.
bool behind_headroom(const TensorList& tensors) {
    return tensors.size() == 1 && tensors[0].has_headroom() && tensors[0].bytes() > 0 &&
           description_bytes(tensors) <= Tensor::headroom;
}

/// Where the elements of the first tensor that has any may begin.
std::size_t first_offset(const TensorList& tensors) {
    return behind_headroom(tensors) ? Tensor::headroom : description_bytes(tensors);
}

Header header_of(const Parcel& parcel) {
    return {.entries = parcel.tensors.size(), .bytes = size(parcel)};
}

Entry entry_of(const Tensor& tensor, std::size_t offset) {
    return {.defined = 1,
            .dimensions = static_cast<std::uint32_t>(tensor->ndim),
            .type = tensor->dtype,
            .device = tensor->device,
            .offset = offset,
            .bytes = tensor.bytes()};
}

class Writer {
  public:
    explicit Writer(std::span<std::byte> block) : block_(block) {}

    void put(const void* data, std::size_t bytes) {
        if (bytes > 0) std::memcpy(block_.data() + at_, data, bytes);
        at_ += bytes;
    }

    /// Puts `data` at `offset` and zeros into the gap before it, which begins at `gap`.
    void put_at(std::size_t gap, std::size_t offset, const void* data, std::size_t bytes) {
        if (bytes == 0) return;
        std::memset(block_.data() + gap, 0, offset - gap);
        std::memcpy(block_.data() + offset, data, bytes);
    }

    void clear_rest() { std::memset(block_.data() + at_, 0, block_.size() - at_); }

  private:
    std::span<std::byte> block_;
    std::size_t at_ = 0;
};

class Reader {
  public:
    explicit Reader(std::span<const std::byte> block) : block_(block) {}

    template <typename Value>
    Value take(const char* what) {
        Value value;
        std::memcpy(&value, claim(sizeof(Value), what), sizeof(Value));
        return value;
    }

    const std::byte* claim(std::size_t bytes, const char* what) {
        if (bytes > block_.size() - at_) {
            throw ParcelError(fmt::format("{} needs bytes {} to {} of a message of {}", what, at_,
                                          at_ + bytes, block_.size()));
        }
        return block_.data() + std::exchange(at_, at_ + bytes);
    }

  private:
    std::span<const std::byte> block_;
    std::size_t at_ = 0;
};

void write_failure(const Parcel& parcel, std::span<std::byte> block) {
    const RemoteFailure& failure = *parcel.failure;
    Header header{.kind = Kind::failure, .bytes = block.size(), .rank = failure.rank};
    header.task_kind = failure.task ? static_cast<std::uint32_t>(failure.task->kind) : no_task;
    if (failure.task) {
        header.stage = failure.task->stage;
        header.microbatch = failure.task->microbatch;
    }
    Writer writer(block);
    writer.put(&header, sizeof(header));
    writer.put(failure.text.data(), failure.text.size());
}

Header read_header(Reader& reader, std::size_t bytes) {
    const auto header = reader.take<Header>("the header");
    if (header.magic != magic) {
        throw ParcelError(
            fmt::format("the message begins with {:#018x}, not {:#018x}", header.magic, magic));
    }
    if (header.version != version) {
        throw ParcelError(fmt::format("the message has format {}, this program reads format {}",
                                      header.version, version));
    }
    if (header.bytes != bytes) {
        throw ParcelError(
            fmt::format("the message has {} bytes, its header says {}", bytes, header.bytes));
    }
    return header;
}

Parcel read_failure(const Header& header, std::span<const std::byte> block) {
    if (header.task_kind > no_task) {
        throw ParcelError(fmt::format("a failure names task kind {}", header.task_kind));
    }
    auto failure = std::make_shared<RemoteFailure>();
    failure->rank = header.rank;
    if (header.task_kind != no_task) {
        failure->task = {.kind = static_cast<TaskKind>(header.task_kind),
                         .stage = header.stage,
                         .microbatch = header.microbatch};
    }
    const auto* text = reinterpret_cast<const char*>(block.data());
    failure->text.assign(text + sizeof(Header), text + block.size());
    return {.tensors = {}, .failure = std::move(failure)};
}

std::vector<std::int64_t> read_shape(Reader& reader, const Entry& entry, std::size_t index) {
    if (entry.dimensions > most_dimensions) {
        throw ParcelError(fmt::format("tensor {} has {} dimensions, at most {} are possible", index,
                                      entry.dimensions, most_dimensions));
    }
    std::vector<std::int64_t> shape(entry.dimensions);
    for (std::int64_t& extent : shape) extent = reader.take<std::int64_t>("a tensor's shape");
    return shape;
}

Tensor read_tensor(const Entry& entry, std::span<const std::int64_t> shape, std::size_t index,
                   const std::shared_ptr<void>& owner, std::span<const std::byte> block) {
    if (entry.offset > block.size() || entry.bytes > block.size() - entry.offset) {
        throw ParcelError(fmt::format("tensor {} needs {} bytes at {} of a message of {}", index,
                                      entry.bytes, entry.offset, block.size()));
    }
    // The block is the caller's to give away: its tensors are as writable as any others.
    auto* data = const_cast<std::byte*>(block.data()) + entry.offset;
    Tensor tensor;
    try {
        tensor = Tensor::view(owner, data, entry.type, shape);
    } catch (const std::invalid_argument& error) {
        throw ParcelError(fmt::format("tensor {}: {}", index, error.what()));
    }
    if (entry.bytes > 0 && entry.offset % alignment != 0) {
        throw ParcelError(
            fmt::format("tensor {} lies at {}, no multiple of {}", index, entry.offset, alignment));
    }
    if (tensor.bytes() != entry.bytes) {
        throw ParcelError(fmt::format("tensor {} is {} and has {} bytes, its entry says {}", index,
                                      describe(tensor), tensor.bytes(), entry.bytes));
    }
    return tensor;
}

}  // namespace

std::size_t size(const Parcel& parcel) {
    if (parcel.failure) return sizeof(Header) + parcel.failure->text.size();
    std::size_t end = first_offset(parcel.tensors);
    for (const Tensor& tensor : parcel.tensors) {
        if (tensor.bytes() > 0) end = aligned(end) + tensor.bytes();
    }
    return end;
}

void write(const Parcel& parcel, std::span<std::byte> block) {
    if (parcel.failure) return write_failure(parcel, block);
    const Header header = header_of(parcel);
    Writer writer(block);
    writer.put(&header, sizeof(header));
    std::size_t gap = description_bytes(parcel.tensors);
    std::size_t end = first_offset(parcel.tensors);
    for (const Tensor& tensor : parcel.tensors) {
        Entry entry;
        if (tensor.defined()) {
            const std::size_t offset = tensor.bytes() > 0 ? aligned(end) : end;
            entry = entry_of(tensor, offset);
            writer.put_at(gap, offset, tensor.data(), tensor.bytes());
            gap = end = offset + tensor.bytes();
        }
        writer.put(&entry, sizeof(entry));
        writer.put(tensor.shape().data(), tensor.shape().size_bytes());
    }
}

std::byte* give(Parcel& parcel) {
    if (parcel.failure || !behind_headroom(parcel.tensors)) return nullptr;
    const Header header = header_of(parcel);
    Tensor& tensor = parcel.tensors.front();
    const Entry entry = entry_of(tensor, Tensor::headroom);
    const std::vector<std::int64_t> shape(tensor.shape().begin(), tensor.shape().end());
    std::byte* block = tensor.release_block();
    if (block == nullptr) return nullptr;
    Writer writer({block, Tensor::headroom});
    writer.put(&header, sizeof(header));
    writer.put(&entry, sizeof(entry));
    writer.put(shape.data(), shape.size() * sizeof(std::int64_t));
    writer.clear_rest();
    return block;
}

Parcel read(std::shared_ptr<void> owner, std::span<const std::byte> block) {
    Reader reader(block);
    const Header header = read_header(reader, block.size());
    if (header.kind == Kind::failure) return read_failure(header, block);
    if (header.kind != Kind::tensors) {
        throw ParcelError(
            fmt::format("the message is of kind {}", static_cast<std::uint32_t>(header.kind)));
    }
    Parcel parcel;
    for (std::uint64_t index = 0; index < header.entries; ++index) {
        const auto entry = reader.take<Entry>("a tensor's entry");
        const std::vector<std::int64_t> shape = read_shape(reader, entry, index);
        parcel.tensors.push_back(
            entry.defined == 0 ? Tensor() : read_tensor(entry, shape, index, owner, block));
    }
    return parcel;
}

Parcel sendable(Parcel parcel) {
    for (std::size_t index = 0; index < parcel.tensors.size(); ++index) {
        Tensor& tensor = parcel.tensors[index];
        if (!tensor.defined()) continue;
        if (!readable_by_host(tensor)) {
            throw std::invalid_argument(fmt::format(
                "result {} ({}) lies on device type {}, number {}: copy it to host memory before "
                "it is returned",
                index, describe(tensor), static_cast<int>(tensor->device.device_type),
                tensor->device.device_id));
        }
        tensor = tensor.contiguous();
    }
    return parcel;
}

}  // namespace rrfp::parcel_format
