#pragma once

#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "adapters/files/tensor_file.h"
#include "adapters/jobs/training/checkpoint_check.h"
#include "adapters/jobs/training/checkpoint_save.h"
#include "adapters/jobs/training/manifest.h"
#include "tests/support/scratch_folder.h"

namespace rrfp::test {

/// A job of two ranks, and its checkpoints: each rank's file holds one tensor of 8 bytes.
class SavedCheckpoint : public ::testing::Test {
  protected:
    testing::ScratchFolder scratch_;
    Job job_;

    void SetUp() override {
        job_.output.checkpoint = scratch_.file("checkpoint");
        job_.output.resume = true;
        job_.parallel.pipeline = 2;
        job_.data.text_file = {.bytes = 1000, .sha256 = std::string(64, 'a')};
    }

    const std::string& folder() const { return job_.output.checkpoint; }
    std::string manifest() const { return manifest_path(folder()); }

    /// What a rank does: writes `content`, eight letters, and says what the file holds.
    static FileIdentity write_file(const Checkpoint& checkpoint, int rank, std::string content) {
        const NamedTensor tensor{"t", {2}, std::as_writable_bytes(std::span(content))};
        const FileDigest digest =
            write_tensor_file(checkpoint.file(rank), {&tensor, 1}, checkpoint.notes(rank));
        return {.bytes = static_cast<std::int64_t>(digest.bytes), .sha256 = digest.sha256};
    }
    /// What the ranks do before rank 0 commits.
    Checkpoint begin(std::uint64_t iteration, const std::string& content) const {
        Checkpoint next = describe_checkpoint(job_, iteration);
        next.folder = begin_save(folder(), iteration);
        for (int rank = 0; rank < next.ranks; ++rank) {
            next.files.push_back(write_file(next, rank, content));
        }
        return next;
    }
    void save(std::uint64_t iteration, const std::string& content) const {
        const Checkpoint next = begin(iteration, content);
        commit_save(job_, iteration, next.folder, next.files);
    }

    static std::string read(const std::string& path) {
        std::ifstream file(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }
    static void write(const std::string& path, const std::string& content) {
        std::ofstream(path, std::ios::binary) << content;
    }
    Checkpoint found() const {
        Checkpoint found = current_checkpoint(folder()).value();
        for (int rank = 0; rank < found.ranks; ++rank) {
            EXPECT_TRUE(std::filesystem::is_regular_file(found.file(rank))) << rank;
        }
        return found;
    }
    /// What the file of `rank` in force holds.
    std::string content(int rank) const {
        const std::string all = read(found().file(rank));
        return all.substr(all.size() - 8);
    }
    std::string refusal() const {
        try {
            check_checkpoint(job_);
        } catch (const std::runtime_error& error) {
            return error.what();
        }
        return "accepted";
    }
};

}  // namespace rrfp::test
