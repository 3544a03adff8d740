// How a file in a folder parts/ offers its part to the catalogue. The build lists the files; the stem is the name.
#pragma once

#include "cda/extend/catalogue.hpp"

// CDA_PART(Divergence, quadratic) { return {.info = {.summary = ...}, .make = [](const Settings& s) { ... }}; }
#define CDA_PART(Interface, stem) cda::Catalogue<cda::Interface>::Entry cda_part_##Interface##_##stem()

namespace cda {

template <class Entry>
Entry named(const char* stem, Entry entry) {
  entry.info.name = stem;
  return entry;
}

}  // namespace cda
