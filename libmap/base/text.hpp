// Small functions on text that every reader and writer shares. None of them depends on the locale.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rankmap {

// Without blanks, tabs, CR and LF at both ends.
std::string_view trim(std::string_view text);

// The fields between separators; empty fields are kept, and "" gives one empty field.
std::vector<std::string_view> split(std::string_view text, char separator);

// The words between runs of blanks and tabs.
std::vector<std::string_view> split_words(std::string_view text);

// The lines without their ends (LF or CRLF). A last line without an end counts; "" gives none.
std::vector<std::string_view> split_lines(std::string_view text);

std::string join(const std::vector<std::string>& parts, std::string_view separator);

// Between double quotes; control characters, quotes and backslashes escaped; cut after 60 bytes.
std::string quoted(std::string_view text);

std::string to_lower(std::string_view text);

// The whole text as a decimal number, nothing else around it; nullopt if it is not one or
// overflows.
std::optional<std::int64_t> parse_integer(std::string_view text);
std::optional<std::uint64_t> parse_unsigned(std::string_view text);
std::optional<double> parse_real(std::string_view text);  // finite numbers only

// The shortest text that reads back as the same number.
std::string format_real(double value);

}  // namespace rankmap
