#include "model/seal.hpp"

#include "base/sha256.hpp"
#include "cda/error.hpp"

namespace cda {
namespace {

std::string digest_around(std::string_view text, std::size_t at) {
  Sha256 hash;
  hash.add(text.substr(0, at));
  hash.add(text.substr(at + unsealed.size()));
  return hash.digest();
}

}  // namespace

const std::string unsealed(64, '0');

std::string sealed(std::string text) {
  const std::size_t at = text.find(unsealed);
  if (at == std::string::npos) throw Error(Fault::internal, "model.seal", "there is no place for the digest");
  return text.replace(at, unsealed.size(), digest_around(text, at));
}

bool seal_holds(std::string_view text, const std::string& stated) {
  if (stated.size() != unsealed.size()) return false;
  const std::size_t at = text.find(stated);
  return at != std::string_view::npos && digest_around(text, at) == stated;
}

}  // namespace cda
