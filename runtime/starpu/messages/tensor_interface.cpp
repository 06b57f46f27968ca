#include "runtime/starpu/messages/tensor_interface.h"

#include <cstdint>
#include <cstdio>
#include <utility>

#include "runtime/starpu/messages/parcel_format.h"

namespace rrfp {
namespace {

/// What StarPU keeps for the handle on each memory node.
struct TensorInterface {
    TensorCell* cell;
};

TensorCell& cell_of(starpu_data_handle_t handle) {
    return tensor_cell(starpu_data_get_interface_on_node(handle, STARPU_MAIN_RAM));
}

void register_handle(starpu_data_handle_t handle, int /*home_node*/, void* data_interface) {
    for (unsigned node = 0; node < STARPU_MAXNODES; ++node) {
        *static_cast<TensorInterface*>(starpu_data_get_interface_on_node(handle, node)) =
            *static_cast<TensorInterface*>(data_interface);
    }
}

// Whoever writes the handle brings the storage with it.
starpu_ssize_t allocate(void* /*data_interface*/, unsigned /*node*/) { return 0; }
void release(void* /*data_interface*/, unsigned /*node*/) {}

int share(void* /*source*/, unsigned /*from*/, void* /*target*/, unsigned /*to*/, void* /*async*/) {
    return 0;
}

std::size_t size(starpu_data_handle_t handle) { return cell_of(handle).bytes(); }

std::uint32_t footprint(starpu_data_handle_t handle) {
    return static_cast<std::uint32_t>(size(handle));
}

int compare(void* left, void* right) {
    return tensor_cell(left).bytes() == tensor_cell(right).bytes() ? 1 : 0;
}

starpu_ssize_t describe_to(void* data_interface, char* text, std::size_t bytes) {
    return std::snprintf(text, bytes, "T%zu", tensor_cell(data_interface).bytes());
}

/// Called twice by StarPU-MPI: for the size, then for the block, which it frees after the send.
int pack(starpu_data_handle_t handle, unsigned node, void** block, starpu_ssize_t* bytes) {
    TensorCell& cell = cell_of(handle);
    const Parcel& parcel = cell.parcel();
    *bytes = static_cast<starpu_ssize_t>(parcel_format::size(parcel));
    if (block == nullptr) return 0;
    // StarPU frees a block of host memory with free.
    *block = node == STARPU_MAIN_RAM ? cell.give_block() : nullptr;
    if (*block != nullptr) return 0;
    const auto count = static_cast<std::size_t>(*bytes);
    *block = reinterpret_cast<void*>(starpu_malloc_on_node_flags(node, count, 0));
    if (*block == nullptr) STARPU_ABORT_MSG("no memory for a message of %zu bytes", count);
    parcel_format::write(parcel, {static_cast<std::byte*>(*block), count});
    return 0;
}

/// Takes the block that StarPU-MPI received, which is ours from now on.
int unpack(starpu_data_handle_t handle, unsigned node, void* block, std::size_t bytes) {
    TensorCell& cell = cell_of(handle);
    const std::shared_ptr<void> owner(block, [node, bytes](void* data) {
        starpu_free_on_node_flags(node, reinterpret_cast<std::uintptr_t>(data), bytes, 0);
    });
    std::exception_ptr error;
    try {
        cell.set(parcel_format::read(owner, {static_cast<const std::byte*>(block), bytes}));
    } catch (...) {
        cell.clear();
        error = std::current_exception();
    }
    cell.arrived(error);
    return 0;
}

starpu_data_interface_ops* operations() {
    static const starpu_data_copy_methods copy = [] {
        starpu_data_copy_methods methods{};
        methods.any_to_any = share;
        return methods;
    }();
    static starpu_data_interface_ops ops = [] {
        // Elements then lie at multiples of 64 bytes in a received block as well.
        starpu_malloc_set_align(64);
        starpu_data_interface_ops made{};
        made.register_data_handle = register_handle;
        made.allocate_data_on_node = allocate;
        made.free_data_on_node = release;
        made.copy_methods = &copy;
        made.get_size = size;
        made.footprint = footprint;
        made.compare = compare;
        made.describe = describe_to;
        made.pack_data = pack;
        made.unpack_data = unpack;
        made.interfaceid = STARPU_UNKNOWN_INTERFACE_ID;
        made.interface_size = sizeof(TensorInterface);
        made.dontcache = 1;
        made.name = const_cast<char*>("tensors");
        return made;
    }();
    return &ops;
}

}  // namespace

void TensorCell::set(Parcel parcel) {
    bytes_.store(parcel.bytes(), std::memory_order_relaxed);
    parcel_ = std::move(parcel);
}

std::byte* TensorCell::give_block() {
    std::byte* block = parcel_format::give(parcel_);
    if (block != nullptr) parcel_.tensors.clear();
    return block;
}

void TensorCell::arrived(std::exception_ptr error) const {
    if (arrival_) arrival_(*this, std::move(error));
}

TensorHandle::TensorHandle() {
    TensorInterface data_interface{&cell_};
    starpu_data_register(&handle_, -1, &data_interface, operations());
}

TensorHandle::~TensorHandle() { starpu_data_unregister_no_coherency(handle_); }

TensorCell& tensor_cell(void* buffer) { return *static_cast<TensorInterface*>(buffer)->cell; }

}  // namespace rrfp
