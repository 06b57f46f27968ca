#include "runtime/system/own_folder.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <stdexcept>
#include <string_view>
#include <unistd.h>

#include <sys/file.h>
#include <sys/stat.h>

namespace rrfp {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view stem = "rrfp-run-";
constexpr std::size_t random_letters = 6;  // what mkdtemp puts in
constexpr const char* lock_name = "/in-use";
constexpr int attempts = 8;

std::string make_folder(const std::string& parent) {
    if (parent.size() > longest_parent) {
        throw std::runtime_error(parent + ": the path has " + std::to_string(parent.size()) +
                                 " letters, and StarPU cuts paths that begin with more than " +
                                 std::to_string(longest_parent));
    }
    std::string path = parent + "/" + std::string(stem) + std::string(random_letters, 'X');
    if (mkdtemp(path.data()) == nullptr) {
        throw std::runtime_error(parent + ": no folder can be made there: " + strerror(errno));
    }
    return path;
}

/// Takes the lock of a new folder; none and errno where that fails. ENOENT: a cleaner has taken the
/// folder for a dead one, in the moment before it was locked.
Descriptor lock_folder(const std::string& path) {
    // Handed on to children, so that what they do in the folder is protected, too.
    Descriptor lock(open((path + lock_name).c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0600));
    if (!lock.is_open()) return lock;
    struct stat seen {};
    int error = flock(lock.number(), LOCK_SH) == 0 && fstat(lock.number(), &seen) == 0 ? 0 : errno;
    if (error == 0 && seen.st_nlink == 0) error = ENOENT;
    if (error == 0) return lock;
    lock.close();
    errno = error;
    return lock;
}

bool has_our_name(const std::string& name) {
    return name.size() == stem.size() + random_letters && name.starts_with(stem) &&
           std::all_of(name.begin() + stem.size(), name.end(), [](unsigned char letter) {
               return std::isalnum(letter) != 0;  // the letters of mkdtemp
           });
}

bool is_our_folder(const std::string& path) {
    struct stat seen {};
    return lstat(path.c_str(), &seen) == 0 && S_ISDIR(seen.st_mode) && seen.st_uid == geteuid() &&
           (seen.st_mode & 077) == 0;
}

/// The lock of a folder whose processes have all ended, none where one lives.
Descriptor lock_of_dead(const std::string& path) {
    Descriptor lock(open((path + lock_name).c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW));
    if (lock.is_open() && flock(lock.number(), LOCK_EX | LOCK_NB) != 0) lock.close();
    return lock;
}

std::vector<std::string> our_folders(const std::string& parent) {
    std::vector<std::string> paths;
    std::error_code error;  // what cannot be read holds nothing of ours
    for (fs::directory_iterator entry(parent, error), end; !error && entry != end;
         entry.increment(error)) {
        const std::string path = entry->path().string();
        if (has_our_name(entry->path().filename().string()) && is_our_folder(path)) {
            paths.push_back(path);
        }
    }
    std::ranges::sort(paths);
    return paths;
}

bool remove_if_dead(const std::string& path) {
    const Descriptor lock = lock_of_dead(path);
    // A process killed before it had made the lock left an empty folder.
    if (!lock.is_open()) return rmdir(path.c_str()) == 0;
    std::error_code error;
    fs::remove_all(path, error);
    return !error;
}

}  // namespace

OwnFolder::OwnFolder(const std::vector<std::string>& parents) {
    std::string reasons;
    for (const std::string& parent : parents) {
        try {
            make_in(parent);
            return;
        } catch (const std::runtime_error& error) {
            reasons += (reasons.empty() ? "" : "; ") + std::string(error.what());
        }
    }
    throw std::runtime_error(reasons + ". Set TMPDIR to a folder that can be written");
}

void OwnFolder::make_in(const std::string& parent) {
    for (int attempt = 0; attempt < attempts && !lock_.is_open(); ++attempt) {
        path_ = make_folder(parent);
        lock_ = lock_folder(path_);
        if (!lock_.is_open() && errno != ENOENT) break;
    }
    if (lock_.is_open()) return;
    const std::string reason = strerror(errno);
    unlink((path_ + lock_name).c_str());
    rmdir(path_.c_str());
    throw std::runtime_error(path_ + lock_name + ": cannot be locked: " + reason);
}

OwnFolder::~OwnFolder() {
    std::error_code ignored;  // what stays behind is found dead by the next one
    fs::remove_all(path_, ignored);
}

std::vector<std::string> dead_own_folders(const std::string& parent) {
    std::vector<std::string> dead = our_folders(parent);
    std::erase_if(dead, [](const std::string& path) { return !lock_of_dead(path).is_open(); });
    return dead;
}

std::vector<std::string> remove_dead_own_folders(const std::string& parent) {
    std::vector<std::string> removed = our_folders(parent);
    std::erase_if(removed, [](const std::string& path) { return !remove_if_dead(path); });
    return removed;
}

std::string temporary_folder() {
    const char* chosen = std::getenv("TMPDIR");
    return chosen != nullptr && *chosen != '\0' ? chosen : "/tmp";
}

std::vector<std::string> run_places() { return {shared_memory_folder, temporary_folder()}; }

std::vector<std::string> places_for_own_folders() {
    std::vector<std::string> places = run_places();
    if (const char* run = std::getenv(run_folder_variable)) places.insert(places.begin(), run);
    return places;
}

}  // namespace rrfp
