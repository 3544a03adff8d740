// Links: a path is walked name by name. Hard and soft links inside the file are followed (the library ends circles of
// soft links); links into other files are not, and their class is unregistered so that no detour leads there either.
// Filters of others are never loaded.
#include "files/hdf5/file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "cda/extend/catalogue.hpp"

namespace cda::hdf5 {
namespace {

constexpr std::size_t most_names = 1'000'000;
constexpr std::size_t deepest = 64;  // groups in groups

std::vector<std::string> parts_of(const std::string& path) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  while (begin <= path.size()) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    const std::string part = path.substr(begin, end - begin);
    if (!part.empty() && part != ".") parts.push_back(part);
    begin = end + 1;
  }
  return parts;
}

// The innermost reason, which says most.
herr_t keep_first(unsigned position, const H5E_error2_t* error, void* reason) {
  if (position == 0 && error->desc != nullptr) *static_cast<std::string*>(reason) = error->desc;
  return 0;
}

herr_t keep_name(hid_t /*group*/, const char* name, const H5L_info_t* /*info*/, void* names) {
  auto& list = *static_cast<std::vector<std::string>*>(names);
  list.emplace_back(name);
  return list.size() < most_names ? 0 : 1;
}

}  // namespace

std::string absolute(const std::string& path) { return "/" + fmt::format("{}", fmt::join(parts_of(path), "/")); }

std::string shape_text(const std::vector<hsize_t>& shape) {
  return shape.empty() ? "one value" : fmt::format("{}", fmt::join(shape, " x "));
}

std::string Dataset::described() const {
  return fmt::format("{} ({}, {}{})", in_quotes(path, 200), type.words, shape_text(shape),
                     shape.size() == 1 ? " values" : "");
}

File::File(const InputFile& file) : shown_(file.shown()), bytes_(file.size()), most_bytes_(file.most_bytes()) {
  const std::string path = file.path_for_library();
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  H5PLset_loading_state(0);
  H5Lunregister(H5L_TYPE_EXTERNAL);
  const Handle access(H5Pcreate(H5P_FILE_ACCESS));
  H5Pset_file_locking(access.id(), false, true);
  handle_ = Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.id()));
  if (!handle_.valid()) failed("open this file");
}

void File::refuse(const std::string& code, const std::string& message, const std::string& hint) const {
  throw Error(Fault::input, code, message, hint, {.file = shown_});
}

void File::failed(const std::string& deed) const {
  std::string reason;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first, &reason);
  H5Eclear2(H5E_DEFAULT);
  refuse("hdf5.damaged",
         fmt::format("the HDF5 library cannot {}{}", deed, reason.empty() ? "" : ": " + in_quotes(reason, 200)),
         "the file is damaged or incomplete: copy it again");
}

void File::check_memory(const std::string& what, double bytes) const {
  if (bytes > static_cast<double>(most_bytes_))
    throw Error(
        Fault::resource, "hdf5.memory",
        fmt::format("{} takes {:.0f} bytes of memory, more than the {} that are allowed", what, bytes, most_bytes_),
        "--max-bytes allows more, if the machine has the memory", {.file = shown_});
}

bool File::has_link(const std::string& path) const {
  std::string walked;
  for (const std::string& part : parts_of(path)) {
    if (!walked.empty() && H5Oexists_by_name(handle_.id(), walked.c_str(), H5P_DEFAULT) <= 0) return true;
    walked += "/" + part;
    if (H5Lexists(handle_.id(), walked.c_str(), H5P_DEFAULT) <= 0) return false;
  }
  return true;
}

bool File::has(const std::string& path) const {
  const std::string whole = absolute(path);
  return whole == "/" || (has_link(whole) && H5Oexists_by_name(handle_.id(), whole.c_str(), H5P_DEFAULT) > 0);
}

void File::check_asked_for(const std::string& path) const { open(path, Fault::usage); }

Handle File::open(const std::string& path, Fault absent) const {
  std::string walked;
  for (const std::string& part : parts_of(path)) {
    const std::string group = walked.empty() ? "/" : walked;
    walked += "/" + part;
    if (H5Lexists(handle_.id(), walked.c_str(), H5P_DEFAULT) <= 0) {
      std::vector<std::string> near;
      if (is_group(group))
        for (const std::string& name : nearest_names(part, names_in(group)))
          near.push_back(in_quotes((group == "/" ? "" : group) + "/" + name, 200));
      throw Error(absent, "hdf5.unknown", fmt::format("there is no {} in this file", in_quotes(walked, 200)),
                  near.empty() ? "" : fmt::format("did you mean {}?", fmt::join(near, " or ")), {.file = shown_});
    }
    H5L_info_t link{};
    if (H5Lget_info(handle_.id(), walked.c_str(), &link, H5P_DEFAULT) < 0) failed("follow " + in_quotes(walked, 200));
    if (link.type != H5L_TYPE_HARD && link.type != H5L_TYPE_SOFT)
      refuse("hdf5.external",
             fmt::format("{} is a link into another file; external links are not followed", in_quotes(walked, 200)),
             "h5copy puts what it leads to into this file");
    if (link.type == H5L_TYPE_SOFT && H5Oexists_by_name(handle_.id(), walked.c_str(), H5P_DEFAULT) <= 0)
      refuse("hdf5.link",
             fmt::format("the link {} leads nowhere, in a circle or out of the file", in_quotes(walked, 200)));
  }
  Handle object(H5Oopen(handle_.id(), walked.empty() ? "/" : walked.c_str(), H5P_DEFAULT));
  if (!object.valid()) failed("open " + in_quotes(walked, 200));
  return object;
}

bool File::is_group(const std::string& path) const { return has(path) && H5Iget_type(open(path).id()) == H5I_GROUP; }

std::vector<std::string> File::names_in(const std::string& group) const {
  const Handle handle = open(group);
  std::vector<std::string> names;
  if (H5Literate(handle.id(), H5_INDEX_NAME, H5_ITER_INC, nullptr, keep_name, &names) < 0)
    failed("list " + in_quotes(absolute(group), 200));
  return names;
}

Dataset File::looked_at(const std::string& path, Handle handle) const {
  Dataset dataset{.path = absolute(path), .handle = std::move(handle)};
  const Handle type(H5Dget_type(dataset.handle.id())), space(H5Dget_space(dataset.handle.id()));
  const int rank = space.valid() ? H5Sget_simple_extent_ndims(space.id()) : -1;
  if (!type.valid() || rank < 0) failed("describe " + in_quotes(path, 200));
  dataset.type = element_type(type.id());
  if (H5Sget_simple_extent_type(space.id()) == H5S_NULL) dataset.type = {.words = "empty"};
  dataset.shape.resize(static_cast<std::size_t>(rank));
  if (rank > 0) H5Sget_simple_extent_dims(space.id(), dataset.shape.data(), nullptr);
  return dataset;
}

Dataset File::listed(const std::string& path, Handle object) const {
  const Handle made(H5Dget_create_plist(object.id()));
  // The shape of a virtual dataset would be looked up in other files.
  if (made.valid() && H5Pget_layout(made.id()) == H5D_VIRTUAL) return {.path = path, .type = {.words = "virtual"}};
  return looked_at(path, std::move(object));
}

Dataset File::listed(const std::string& path) const { return listed(path, open(path)); }

Dataset File::dataset(const std::string& path) const {
  Handle object = open(path);
  if (H5Iget_type(object.id()) != H5I_DATASET) {
    std::vector<std::string> names;
    if (H5Iget_type(object.id()) == H5I_GROUP) names = names_in(path);
    constexpr std::size_t shown = 12;
    const bool more = names.size() > shown;
    if (more) names.resize(shown);
    for (std::string& name : names) name = in_quotes(name);
    refuse("hdf5.group", fmt::format("{} is a group, not a dataset", in_quotes(absolute(path), 200)),
           names.empty() ? "" : fmt::format("it holds {}{}", fmt::join(names, ", "), more ? ", ..." : ""));
  }
  const Handle made(H5Dget_create_plist(object.id()));
  if (!made.valid()) failed("describe " + in_quotes(path, 200));
  // Asked before the shape, which a virtual dataset looks up in other files.
  const H5D_layout_t layout = H5Pget_layout(made.id());
  if (layout == H5D_VIRTUAL || H5Pget_external_count(made.id()) > 0)
    refuse("hdf5.external",
           fmt::format("{} keeps its values in other files, which are not opened", in_quotes(absolute(path), 200)),
           "h5repack -l CONTI IN OUT puts them into one file");
  Dataset dataset = looked_at(path, std::move(object));
  if (layout == H5D_CHUNKED) {
    dataset.chunk.resize(dataset.shape.size());
    if (H5Pget_chunk(made.id(), static_cast<int>(dataset.chunk.size()), dataset.chunk.data()) < 0)
      failed("describe " + in_quotes(path, 200));
  }
  check_storage(dataset);
  return dataset;
}

void File::collect(const std::string& group, std::vector<Dataset>& found, std::set<haddr_t>& visited) const {
  for (const std::string& name : names_in(group)) {
    const std::string path = (group == "/" ? "" : group) + "/" + name;
    H5L_info_t link{};
    if (H5Lget_info(handle_.id(), path.c_str(), &link, H5P_DEFAULT) < 0 || link.type != H5L_TYPE_HARD) continue;
    // A group that holds itself, or one dataset under many names.
    if (!visited.insert(link.u.address).second) continue;
    Handle object(H5Oopen(handle_.id(), path.c_str(), H5P_DEFAULT));
    const H5I_type_t type = object.valid() ? H5Iget_type(object.id()) : H5I_BADID;
    constexpr std::size_t most_datasets = 1000;
    if (found.size() >= most_datasets || visited.size() > most_names) return;
    if (type == H5I_GROUP && parts_of(path).size() < deepest) collect(path, found, visited);
    if (type == H5I_DATASET) found.push_back(listed(path, std::move(object)));
  }
}

std::vector<Dataset> File::datasets() const {
  std::vector<Dataset> found;
  std::set<haddr_t> visited;
  H5O_info_t root{};
  if (H5Oget_info2(handle_.id(), &root, H5O_INFO_BASIC) >= 0) visited.insert(root.addr);
  collect("/", found, visited);
  return found;
}

}  // namespace cda::hdf5
