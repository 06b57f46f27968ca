#include "adapters/schedules/table_waits.h"

#include <algorithm>

#include <fmt/format.h>

#include "adapters/schedules/table_index.h"
#include "runtime/core/in_order_run.h"
#include "runtime/core/shown_text.h"

namespace rrfp {
namespace {

class Waits {
  public:
    explicit Waits(const TableIndex& index) : index_(index), run_(index.pipeline(), index.tasks()) {
        for (const auto& [task, place] : index.places()) {
            for (const Task& input : index.inputs(task)) {
                const Place* other = index.find(input);
                if (!other || (other->rank == place.rank && other->entry > place.entry)) {
                    run_.waive(input);
                }
            }
        }
    }

    std::vector<TableFault> all() {
        std::vector<TableFault> faults;
        for (run_.advance(); !run_.finished() && faults.size() <= most_messages; run_.advance()) {
            const std::vector<int> ring = find_ring();
            faults.push_back(describe(ring));
            run_.waive(*run_.awaited(ring.front()));  // to see what else there is
        }
        return faults;
    }

  private:
    /// The rank whose row holds what `rank` waits for; -1 when its list has ended.
    int waits_for(int rank) const {
        const auto awaited = run_.awaited(rank);
        return awaited ? index_.find(*awaited)->rank : -1;
    }

    /// Ranks that wait each for the next, and the last for the first. Each stuck rank waits for a
    /// stuck one, so following the waits ends in a ring.
    std::vector<int> find_ring() const {
        int rank = 0;
        while (waits_for(rank) < 0) {
            ++rank;
        }
        for (int step = 0; step < index_.ranks(); ++step) {
            rank = waits_for(rank);
        }
        std::vector<int> ring = {rank};
        for (int next = waits_for(rank); next != rank; next = waits_for(next)) {
            ring.push_back(next);
        }
        std::rotate(ring.begin(), std::min_element(ring.begin(), ring.end()), ring.end());
        return ring;
    }

    TableFault describe(const std::vector<int>& ring) const {
        std::string text = "deadlock: ";
        for (const int rank : ring) {
            const Place& place = next(rank);
            const Place& awaited = *index_.find(*run_.awaited(rank));
            text += fmt::format("{}{} in row {}, column {} waits for {} in row {}, column {}",
                                rank == ring.front() ? "" : ", ", to_cell(place.action),
                                place.rank + 1, place.column, to_cell(awaited.action),
                                awaited.rank + 1, awaited.column);
        }
        const Place& first = next(ring.front());
        return {first.rank + 1, first.column, text};
    }

    const Place& next(int rank) const {
        return *index_.find(index_.tasks()[rank][run_.position(rank)]);
    }

    const TableIndex& index_;
    InOrderRun run_;
};

}  // namespace

std::vector<TableFault> endless_waits(const TableIndex& index) { return Waits(index).all(); }

}  // namespace rrfp
