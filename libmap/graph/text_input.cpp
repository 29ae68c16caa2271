#include "libmap/graph/text_input.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "libmap/base/error.hpp"

namespace rankmap {
namespace {

constexpr std::size_t block = std::size_t{1} << 20;

int keep_open(std::FILE*) {
  return 0;
}

Bytes size_of(std::FILE* file) {
  struct stat status {};
  const bool known = ::fstat(::fileno(file), &status) == 0 && S_ISREG(status.st_mode);
  return known ? static_cast<Bytes>(status.st_size) : 0;
}

}  // namespace

TextInput::TextInput(std::string_view text, std::string name)
    : file_(nullptr, keep_open),
      name_(std::move(name)),
      size_(text.size()),
      limit_(text.size()),
      window_(text) {}

TextInput::TextInput(File file, std::string name, Bytes size, Bytes limit)
    : file_(std::move(file)), name_(std::move(name)), size_(size), limit_(limit) {}

TextInput TextInput::open(const std::string& path, Bytes limit) {
  File file =
      path == "-" ? File(stdin, keep_open) : File(std::fopen(path.c_str(), "rbe"), std::fclose);
  if (!file) throw SystemError::from_errno("open", path, errno);
  std::setvbuf(file.get(), nullptr, _IONBF, 0);  // blocks are large already
  const Bytes size = size_of(file.get());
  return {std::move(file), path, size, limit};
}

bool TextInput::fill() {
  if (!file_) return false;
  if (!window_.empty()) std::memmove(buffer_.data(), window_.data(), window_.size());
  const std::size_t held = window_.size();
  if (buffer_.size() - held < block) buffer_.resize(std::max(held + block, buffer_.size() * 2));
  const std::size_t got = std::fread(buffer_.data() + held, 1, buffer_.size() - held, file_.get());
  if (std::ferror(file_.get()) != 0) throw SystemError::from_errno("read", name_, errno);
  window_ = {buffer_.data(), held + got};
  taken_ += got;
  if (taken_ > limit_)
    throw InputError({name_, 0, 0}, "longer than the limit of " + format_bytes(limit_));
  if (got == 0) file_.reset();
  return got != 0;
}

std::string_view TextInput::head() {
  while (window_.size() < block && fill()) {
  }
  return window_;
}

std::string_view TextInput::whole(Bytes limit) {
  const auto within = [&] {
    if (window_.size() > limit)
      throw InputError({name_, 0, 0}, "longer than the limit of " + format_bytes(limit));
    return true;
  };
  while (within() && fill()) {
  }
  return window_;
}

bool TextInput::next_line(std::string_view& line) {
  std::size_t searched = 0;
  for (;;) {
    const std::size_t end = window_.find('\n', searched);
    if (end != std::string_view::npos) {
      line = window_.substr(0, end);
      window_.remove_prefix(end + 1);
      return true;
    }
    searched = window_.size();
    if (fill()) continue;
    line = window_;
    window_ = {};
    return !line.empty();
  }
}

}  // namespace rankmap
