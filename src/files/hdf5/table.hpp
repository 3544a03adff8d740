// Tables in HDF5 files: a dataset of numbers, a list of records, or what AnnData makes of them.
#pragma once

#include <string>

#include "cda/extend/format.hpp"
#include "files/hdf5/file.hpp"
#include "files/raw_numbers.hpp"

namespace cda::hdf5 {

// Only for use in a child process (files/isolated.hpp).
RawTable read_table(const InputFile& file, const ReadOptions& options);

// A dataset of numbers or a sparse matrix in a group, as AnnData and others write it.
bool is_sparse(const File& file, const std::string& path);
Matrix read_matrix(const File& file, const std::string& path, Index& rounded);

// Every field of the records as a column; `row_names` (may be empty) is the field that names the rows.
void add_records(RawTableBuilder& builder, const File& file, const Dataset& dataset, const std::string& row_names);

}  // namespace cda::hdf5
