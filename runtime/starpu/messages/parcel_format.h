#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <stdexcept>

#include "runtime/starpu/messages/parcel.h"

namespace rrfp {

/// A block of bytes that does not hold a parcel. The message says what is wrong and with which
/// value.
class ParcelError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// How a parcel travels: one dense block, so that one MPI message carries it whatever its shapes.
///
///     header     magic, version, kind, entries, bytes of the block      64 bytes
///     entries    for each tensor: type, device, offset, extents         56 bytes + 8 a dimension
///     elements   of each tensor, dense, at a multiple of 64 bytes
///
/// A lone tensor with headroom has its elements at the headroom's end instead: its own block can
/// then become the message.
///
/// A failure has its text in the place of the elements. Both ends run one binary, so byte order and
/// type sizes are the machine's own.
namespace parcel_format {

/// Bytes of the block that `write` fills.
std::size_t size(const Parcel& parcel);

/// Fills `block`, whose size is `size(parcel)`. Every tensor must be `sendable`.
void write(const Parcel& parcel, std::span<std::byte> block);

/// Makes the message in the block of the parcel's only tensor, without a copy, and gives that block
/// to the caller, who frees it with std::free: `size(parcel)` bytes are the message. The parcel's
/// tensor is then undefined. Null, and nothing changes, where the tensor has no headroom, has no
/// elements or shares its block.
std::byte* give(Parcel& parcel);

/// The parcel in `block`. Its tensors lie in the block and share `owner`, which keeps it alive:
/// nothing is copied. Throws ParcelError for anything but what `write` makes.
Parcel read(std::shared_ptr<void> owner, std::span<const std::byte> block);

/// The parcel with every tensor dense. Throws std::invalid_argument, naming the entry, for a tensor
/// that the host cannot read or whose elements do not fill whole bytes.
Parcel sendable(Parcel parcel);

}  // namespace parcel_format
}  // namespace rrfp
