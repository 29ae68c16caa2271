// What an action that must fail says.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "libmap/base/error.hpp"

namespace rankmap {

template <typename Action>
std::string message_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace rankmap
