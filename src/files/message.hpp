// Numbers, texts and matrices through a pipe, from one process to another on the same machine.
#pragma once

#include <cstdint>
#include <string>

#include "cda/error.hpp"
#include "cda/extend/format.hpp"
#include "cda/types.hpp"

namespace cda {

class Message {
 public:
  explicit Message(int descriptor) : descriptor_(descriptor) {}

  struct Incomplete {};  // thrown where the other side ends, or what it says cannot be

  void put(std::int64_t number);
  void put(const std::string& text);
  void put(const Matrix& matrix);
  void put(const RawTable& table);
  void put(const Error& error);

  std::int64_t get_number(std::int64_t lowest, std::int64_t highest);
  std::string get_text();
  Matrix get_matrix();
  RawTable get_table();
  Error get_error();

 private:
  void send(const void* from, std::size_t bytes);
  void receive(void* to, std::size_t bytes);

  int descriptor_;
};

}  // namespace cda
