// A model file carries a fingerprint of itself, so that any change made after it was written is noticed: a flipped bit
// on a disk as well as a weight edited by hand.
//
// The digest is SHA-256 over every byte of the file except the 64 digits that state it, the first in the file that
// equal the value of "sha256". White space and the last newline count: there is nothing in the file that may change.
// It is no signature: who wants to deceive can compute it anew.
#pragma once

#include <string>
#include <string_view>

namespace cda {

extern const std::string unsealed;  // 64 zeros, where a text that is to be sealed states its digest

// The text with its digest in place of the first `unsealed`.
std::string sealed(std::string text);

// True where the text states this digest, and it is the text's own.
bool seal_holds(std::string_view text, const std::string& stated);

}  // namespace cda
