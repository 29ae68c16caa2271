// A topology format: how it is recognised and how it is read. One file and one row a format.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "libmap/machine/node_model.hpp"

namespace rankmap {

struct ReaderOptions {
  std::string nvlink_text;               // output of `nvidia-smi nvlink -s`, or ""
  std::string nvlink_source = "nvlink";  // how errors name it
};

struct NodeReader {
  const char* name;  // also NodeModel::source_format
  const char* summary;
  // Whether the text looks like this format; cheap, and false rather than guessing.
  bool (*recognises)(std::string_view text);
  // `source` names the text in errors. InputError for what cannot be used; warnings for the rest.
  NodeModel (*read)(std::string_view text, const std::string& source, const ReaderOptions& options);
};

std::span<const NodeReader> node_readers();

// By content: the first row that recognises the text; none: InputError that lists the formats.
NodeModel read_node_model(std::string_view text, const std::string& source,
                          const ReaderOptions& options = {});

}  // namespace rankmap
