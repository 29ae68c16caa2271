// The samples of other tools' recordings, graphs as text, and folders that a test fills itself.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "libmap/base/files.hpp"
#include "libmap/graph/reader.hpp"
#include "tests/unit/libmap/graph/message_of.hpp"

namespace rankmap {

inline std::string sample(const std::string& name) {
  return (std::filesystem::path(RANKMAP_SOURCE_DIR) / "tests/golden/comm" / name).string();
}

// "0>1 80/2" a line: bytes and messages, and the name of the group.
inline std::string edges_text(const CommGraph& graph) {
  std::string text;
  for (const Edge& edge : graph.edges()) {
    text += std::to_string(edge.source) + ">" + std::to_string(edge.destination) + " " +
            std::to_string(edge.bytes) + "/" + std::to_string(edge.messages);
    if (edge.group != none) text += " " + graph.groups()[static_cast<std::size_t>(edge.group)].name;
    text += "\n";
  }
  return text;
}

inline std::string refusal_of(const std::string& content) {
  return message_of([&] { parse_comm_graph(content, "f"); });
}

// A folder of this test, empty at first; gone at the end.
class TestFolder {
 public:
  TestFolder() {
    std::string name = ::testing::TempDir() + "/rankmap_recordings.XXXXXX";
    path_ = ::mkdtemp(name.data());
  }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;
  ~TestFolder() { std::filesystem::remove_all(path_); }

  const std::string& path() const { return path_; }
  void write(const std::string& name, const std::string& content) const {
    write_text(path_ + "/" + name, content);
  }
  void copy(const std::string& from) const {
    std::filesystem::copy(from, path_, std::filesystem::copy_options::recursive);
  }
  std::string refusal() const {
    const std::string message = message_of([&] { read_comm_graph(path_); });
    const std::size_t here = message.find(path_);
    return here == 0 ? "DIR" + message.substr(path_.size()) : message;
  }

 private:
  std::string path_;
};

}  // namespace rankmap
