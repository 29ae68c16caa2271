#include "libmap/machine/read/lstopo_text.hpp"

#include <gtest/gtest.h>

#include "libmap/base/error.hpp"

namespace rankmap {
namespace {

TEST(LstopoText, TheShortAndTheVerboseFormAreRecognised) {
  EXPECT_TRUE(recognises_lstopo_text("Machine (126GB total)\n  Package L#0 + L3 L#0 (45MB)\n"));
  EXPECT_TRUE(recognises_lstopo_text("Machine (P#0 total=2GiB)\n  NUMANode L#0 (P#0)\n"));
  EXPECT_TRUE(recognises_lstopo_text("$ lstopo\nMachine L#0 (8GB)\n"));
}

TEST(LstopoText, OtherTextsAreNotRecognised) {
  for (const std::string text : {"", "The Machine (ours)\n", "<object type=\"Machine\"/>"})
    EXPECT_FALSE(recognises_lstopo_text(text)) << text;
}

TEST(LstopoText, ItIsRefusedWithTheAdviceToExportXml) {
  try {
    read_lstopo_text("Machine (8GB)\n", "lstopo.txt", {});
    FAIL() << "was not refused";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("lstopo --of xml"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace rankmap
