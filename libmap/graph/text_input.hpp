// A text that is read forwards: one in memory, or a file in blocks, so that a large file is never
// held whole.
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "libmap/base/units.hpp"

namespace rankmap {

class TextInput {
 public:
  // A text in memory; it must outlive this. `name` is how errors call it.
  TextInput(std::string_view text, std::string name);

  // A file, "-" is standard input. SystemError if it cannot be opened; reading throws SystemError
  // where the system refuses and InputError beyond `limit` bytes.
  static TextInput open(const std::string& path, Bytes limit);

  const std::string& name() const { return name_; }

  // The size of it all, 0 where it is not known (pipes). For reserving memory in proportion.
  Bytes size() const { return size_; }

  // What comes next, at least 1 MiB of it where there is so much; nothing is consumed.
  std::string_view head();

  // Consumes `prefix` where it comes next.
  void skip(std::string_view prefix) {
    if (head().starts_with(prefix)) window_.remove_prefix(prefix.size());
  }

  // All that is left, in memory until the next call. InputError beyond `limit` bytes.
  std::string_view whole(Bytes limit);

  // The next line without its LF, valid until the next call; false at the end. Memory grows to the
  // longest line.
  bool next_line(std::string_view& line);

 private:
  using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

  TextInput(File file, std::string name, Bytes size, Bytes limit);
  bool fill();  // more into the window; false at the end

  File file_;
  std::string name_;
  Bytes size_;
  Bytes limit_;
  Bytes taken_ = 0;
  std::vector<char> buffer_;
  std::string_view window_;  // what is held and not yet consumed; of a file: within buffer_
};

}  // namespace rankmap
