#include "adapters/command/common/received_job.h"

#include <exception>

#include "adapters/collectives/world.h"
#include "adapters/jobs/job/bad_input.h"
#include "adapters/jobs/launch/input_file.h"
#include "adapters/jobs/launch/mpi_world.h"

namespace rrfp {
namespace {

constexpr char handed = 0;  // what leads the text; else the exit code of all ranks
constexpr char failed = 1;
constexpr char bad_input = 2;

}  // namespace

std::variant<HandedJob, NoJob> receive_job(const MpiWorld& world,
                                           const std::function<std::string()>& make) {
    std::string message(1, handed);
    std::exception_ptr error;
    if (world.rank == 0) {
        try {
            message += world.launched_by_us ? read_input() : make();
        } catch (const BadInput&) {
            error = std::current_exception();
            message = bad_input;
        } catch (const std::exception&) {
            error = std::current_exception();
            message = failed;
        }
    }
    message = broadcast(std::move(message));
    if (error) std::rethrow_exception(error);
    if (message.front() != handed) return NoJob{message.front()};
    return take_over(message.substr(1), world.rank);
}

}  // namespace rrfp
