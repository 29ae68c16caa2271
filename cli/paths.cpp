#include "cli/paths.hpp"

#include <cstdlib>
#include <filesystem>
#include <initializer_list>

namespace rankmap::cli {
namespace {

namespace fs = std::filesystem;

std::string first_existing(std::initializer_list<fs::path> places) {
  std::error_code ignored;
  for (const fs::path& place : places)
    if (!place.empty() && fs::exists(place, ignored)) return place.lexically_normal().string();
  return "";
}

fs::path own_path() {
  std::error_code failed;
  const fs::path self = fs::read_symlink("/proc/self/exe", failed);
  return failed ? fs::path() : self;
}

}  // namespace

Context find_paths() {
  const fs::path self = own_path();
  const fs::path bin = self.parent_path();
  const char* wish = std::getenv("RANKMAP_SHARE");
  Context context;
  context.self_path = self.string();
  context.share_directory =
      wish != nullptr && *wish != '\0'
          ? std::string(wish)
          : first_existing({bin / ".." / "share" / "rankmap", fs::path(RANKMAP_CONFIGURED_SHARE)});
  context.exec_path =
      first_existing({bin / "rankmap-exec", bin / ".." / "libexec" / "rankmap-exec"});
  context.shim_path = first_existing({bin / ".." / "lib" / "librankmap_shim.so",
                                      bin / ".." / RANKMAP_LIBDIR / "librankmap_shim.so"});
  return context;
}

}  // namespace rankmap::cli
