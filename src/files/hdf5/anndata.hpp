// AnnData files (.h5ad), the usual form of single-cell data: a matrix X of observations by variables, dense or sparse,
// with a data frame about either, further matrices of the same shape (layers), and matrices about one side.
// The layout is that of https://anndata.readthedocs.io/en/latest/fileformat-prose.html, and of versions before it.
#pragma once

#include <string>
#include <vector>

#include "cda/extend/format.hpp"
#include "files/hdf5/file.hpp"
#include "files/raw_numbers.hpp"

namespace cda::hdf5 {

bool is_anndata(const File& file, const std::string& file_name);

// X, or what options.variable names: layers/counts, raw/X, obsm/X_pca, obs, var, ...
RawTable read_anndata(const File& file, const ReadOptions& options);

// A column whose values are numbers of categories (-1: missing), of text or of numbers.
void add_categorical(RawTableBuilder& builder, const File& file, const std::string& name,
                     const std::vector<double>& codes, const std::string& categories);

}  // namespace cda::hdf5
