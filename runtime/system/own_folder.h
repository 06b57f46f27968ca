#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "runtime/system/descriptor.h"

namespace rrfp {

/// A new private folder, removed with all it holds at the end.
///
/// While this process lives, or a child that it hands its descriptors to, the folder is locked. The
/// kernel lets go of a lock whatever way its holders end, so a folder without one is dead, and may
/// be removed by whoever finds it: see `dead_own_folders`.
class OwnFolder {
  public:
    /// In the first of `parents` that takes it. Throws std::runtime_error with each one's reason.
    explicit OwnFolder(const std::vector<std::string>& parents);
    ~OwnFolder();
    OwnFolder(const OwnFolder&) = delete;
    OwnFolder& operator=(const OwnFolder&) = delete;

    const std::string& path() const { return path_; }

  private:
    void make_in(const std::string& parent);

    std::string path_;
    Descriptor lock_;  // let go of when the folder is gone
};

/// The longest path in which a folder is made. StarPU keeps the paths of its files in 256 letters.
inline constexpr std::size_t longest_parent = 120;

/// The folders that an OwnFolder of this user left in `parent` when its process was killed. What is
/// another user's, has another name, or is still locked, is none of them.
std::vector<std::string> dead_own_folders(const std::string& parent);

/// Removes them; returns those that are gone.
std::vector<std::string> remove_dead_own_folders(const std::string& parent);

/// Where the system wants temporary files: TMPDIR, else /tmp.
std::string temporary_folder();

/// Where a run looks for a place for its folder: /dev/shm, then the temporary folder.
std::vector<std::string> run_places();

/// Where a process looks for a place for a folder of its own, in this order: the folder of its run,
/// which the launcher names in `run_folder_variable`; then `run_places`.
std::vector<std::string> places_for_own_folders();

inline constexpr const char* run_folder_variable = "RRFP_RUN_FOLDER";
inline constexpr const char* shared_memory_folder = "/dev/shm";

}  // namespace rrfp
