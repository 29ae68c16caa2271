#include "libmap/base/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>

#include "libmap/base/error.hpp"
#include "libmap/base/text.hpp"

namespace rankmap {
namespace {

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ > STDERR_FILENO) ::close(number_);
  }
  int number() const { return number_; }

 private:
  int number_;
};

void write_all(int descriptor, std::string_view content, const std::string& path) {
  while (!content.empty()) {
    const ssize_t written = ::write(descriptor, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw SystemError::from_errno("write", path, errno);
    content.remove_prefix(static_cast<std::size_t>(written));
  }
}

void write_in_place(const std::string& path, std::string_view content) {
  const Descriptor file(path == "-" ? STDOUT_FILENO : ::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (file.number() < 0) throw SystemError::from_errno("write", path, errno);
  write_all(file.number(), content, path);
}

}  // namespace

std::string read_text(const std::string& path, Bytes limit) {
  const Descriptor file(path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.number() < 0) throw SystemError::from_errno("open", path, errno);
  std::string content;
  std::array<char, 1 << 16> buffer{};
  for (;;) {
    const ssize_t got = ::read(file.number(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw SystemError::from_errno("read", path, errno);
    if (got == 0) return content;
    content.append(buffer.data(), static_cast<std::size_t>(got));
    if (content.size() > limit)
      throw InputError({path, 0, 0}, "longer than the limit of " + format_bytes(limit));
  }
}

void write_text(const std::string& path, std::string_view content) {
  struct stat status {};
  const bool exists = path != "-" && ::stat(path.c_str(), &status) == 0;
  if (path == "-" || (exists && !S_ISREG(status.st_mode))) {
    write_in_place(path, content);
    return;
  }
  const std::string temporary = path + ".tmp" + std::to_string(::getpid());
  {
    const Descriptor file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (file.number() < 0) throw SystemError::from_errno("create", temporary, errno);
    try {
      write_all(file.number(), content, path);
    } catch (...) {
      ::unlink(temporary.c_str());
      throw;
    }
  }
  if (std::rename(temporary.c_str(), path.c_str()) != 0) {
    const int reason = errno;
    ::unlink(temporary.c_str());
    throw SystemError::from_errno("write", path, reason);
  }
}

bool is_regular_file(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

}  // namespace rankmap
