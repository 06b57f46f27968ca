#pragma once

#include <string>
#include <vector>

namespace rrfp {

/// The files that one command reads and writes: none may be written over another.
class Places {
  public:
    /// `name` is the option or key that gives `path`, for messages; an empty path is none.
    void reads(const std::string& name, const std::string& path);
    void writes(const std::string& name, const std::string& path);
    /// A file that is written in a folder of the command's own, which is checked elsewhere.
    void holds(const std::string& name, const std::string& path);

    /// One message each for a place that cannot be written and for two names of one file of which
    /// one is written.
    std::vector<std::string> faults() const;

  private:
    struct Place {
        std::string name;
        std::string path;
        std::string file;  ///< the same for all names of one file
        bool written = false;
        bool checked = false;  ///< whether it can be written
    };
    void add(const std::string& name, const std::string& path, bool written, bool checked);

    std::vector<Place> places_;
};

}  // namespace rrfp
