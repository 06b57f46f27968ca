#include "runtime/starpu/agreement/agreement_board.h"

#include <utility>

#include "runtime/system/this_thread.h"

namespace rrfp {
namespace {

/// No ring is lost; only a safeguard.
constexpr std::chrono::seconds longest_sleep{1};

}  // namespace

AgreementBoard::AgreementBoard(std::unique_ptr<MemberGroup> group, Dispatcher& dispatcher)
    : GroupAgreement(std::move(group), BoardMemory::bytes(board_tasks(dispatcher))),
      rules_(make_board_member(dispatcher, BoardMemory(bells_.shared(), board_tasks(dispatcher)),
                               group_->member(), group_->size(),
                               [this](int member) { bells_.ring(member); })) {
    if (group_->member() == 0) helper_ = std::thread([this] { help(); });
}

AgreementBoard::~AgreementBoard() {
    if (!helper_.joinable()) return;
    stop_ = true;
    bells_.ring_helper();
    helper_.join();
}

void AgreementBoard::watch(std::function<void()> look) {
    const std::lock_guard lock(mutex_);
    look_ = std::move(look);
}

void AgreementBoard::help() {
    this_thread::set_name("rrfp agreement");
    this_thread::block_signals();
    while (!stop_) {
        const std::uint32_t seen = bells_.helper_rings();
        {
            const std::lock_guard lock(mutex_);
            if (look_) look_();
        }
        if (!stop_) bells_.helper_sleep(seen, longest_sleep);
    }
}

}  // namespace rrfp
