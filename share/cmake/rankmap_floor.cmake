# rankmap_floor(NAME SOURCES ... USES floors ... LINKS third-party ...)
# Makes the static library rankmap_NAME of one floor. USES are floors below (public); LINKS stay private.
add_library(rankmap_flags INTERFACE)
target_include_directories(rankmap_flags INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_options(rankmap_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion $<$<BOOL:${RANKMAP_WERROR}>:-Werror>
  # GCC 12 warns of overlapping copies inside std::string that cannot happen (GCC bug 105651).
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
if(RANKMAP_SANITIZE)
  target_compile_options(rankmap_flags INTERFACE -fsanitize=${RANKMAP_SANITIZE}
    -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(rankmap_flags INTERFACE -fsanitize=${RANKMAP_SANITIZE})
endif()

function(rankmap_floor NAME)
  cmake_parse_arguments(FLOOR "" "" "SOURCES;USES;LINKS" ${ARGN})
  add_library(rankmap_${NAME} STATIC ${FLOOR_SOURCES})
  add_library(rankmap::${NAME} ALIAS rankmap_${NAME})
  set_target_properties(rankmap_${NAME} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  list(TRANSFORM FLOOR_USES PREPEND rankmap_)
  target_link_libraries(rankmap_${NAME} PUBLIC rankmap_flags ${FLOOR_USES} PRIVATE ${FLOOR_LINKS})
endfunction()
