#pragma once

#include <string>
#include <vector>

namespace rrfp {

/// A table for people: the first column left-aligned, the others right-aligned.
class Table {
  public:
    explicit Table(std::vector<std::string> header) { rows_.push_back(std::move(header)); }

    void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
    std::string text() const;

  private:
    std::vector<std::vector<std::string>> rows_;
};

}  // namespace rrfp
