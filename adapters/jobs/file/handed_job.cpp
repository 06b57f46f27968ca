#include "adapters/jobs/file/handed_job.h"

#include <stdexcept>

#include <fmt/format.h>

#include "adapters/jobs/file/job_json.h"

namespace rrfp {

std::string hand_over(const Job& job, const Plan& plan) {
    const nlohmann::json parts = {{"path", job.path},
                                  {"limit_given", job.schedule.limit_given},
                                  {"text_bytes", job.data.text_file.bytes},
                                  {"text_sha256", job.data.text_file.sha256},
                                  {"job", to_json(job)},
                                  {"plan", plan.text()}};
    // CBOR keeps every byte of a path and every bit of a number.
    const std::vector<std::uint8_t> bytes = nlohmann::json::to_cbor(parts);
    return {bytes.begin(), bytes.end()};
}

HandedJob take_over(const std::string& text, int world_rank) try {
    const nlohmann::json parts = nlohmann::json::from_cbor(text);
    Job job = read_job(parts.at("job"));
    job.path = parts.at("path").get<std::string>();
    job.schedule.limit_given = parts.at("limit_given").get<bool>();
    job.data.text_file = {.bytes = parts.at("text_bytes").get<std::int64_t>(),
                          .sha256 = parts.at("text_sha256").get<std::string>()};
    return {.job = std::move(job),
            .plan = Plan::read(parts.at("plan").get<std::string>(), world_rank)};
} catch (const nlohmann::json::exception& error) {
    throw std::invalid_argument(
        fmt::format("what was handed to this rank is no job: {}; start it with rrfp run, and unset "
                    "RRFP_TERMINAL_COLUMNS",
                    error.what()));
}

}  // namespace rrfp
