// Nothing of its own: the target of the header that all tests share (CMakeLists.txt).
