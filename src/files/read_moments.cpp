// A table read in blocks, of which only its moments and some rows are kept.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <memory>
#include <numeric>

#include "cda/error.hpp"
#include "cda/extend/table_moments.hpp"
#include "files/columns.hpp"
#include "files/csv_stream.hpp"
#include "table/missing_cells.hpp"
#include "table/moment_sums.hpp"

namespace cda {
namespace {

// Files may be larger than the machine's memory, which limits what is read whole.
std::uint64_t most_bytes(const ReadOptions& options) {
  return options.max_bytes > 0 ? options.max_bytes : std::numeric_limits<std::uint64_t>::max();
}

// Rows as they come from the parts of a table, its columns in the order of the first part, without missing cells.
class Collector {
 public:
  Collector(Missing missing, int threads) : missing_(missing), executor_(threads) {
    if (missing != Missing::refuse && missing != Missing::drop_rows)
      throw Error(Fault::usage, "stream.missing",
                  "a table that is read in blocks cannot have missing cells filled, or columns left out for them",
                  "--missing drop-rows, or leave out --stream");
  }

  // Where the first part's columns are in one that has these.
  void begin_part(const std::vector<std::string>& names, const std::string& file) {
    if (!sums_) {
      table_.names = names;
      table_.source = file;
      table_.values.resize(0, static_cast<Index>(names.size()));
      missing_cells_.assign(names.size(), 0);
      sums_ = std::make_unique<MomentSums>(names, executor_);
    }
    order_.clear();
    for (const std::string& name : table_.names) {
      const auto found = std::find(names.begin(), names.end(), name);
      if (found == names.end())
        throw Error(
            Fault::input, "parts.columns",
            fmt::format("there is no column {} as in {}, the first part of the table", in_quotes(name), table_.source),
            "parts of one table have the same columns, in any order", {.file = file});
      order_.push_back(found - names.begin());
    }
    if (names.size() > order_.size())
      said_.push_back(said_of_further_columns(names.size() - order_.size(), file, table_.source));
  }

  void add(Matrix rows) {
    read_ += rows.rows();
    std::vector<Index> in_order(order_.size());
    std::iota(in_order.begin(), in_order.end(), Index{0});
    if (order_ != in_order || static_cast<Index>(order_.size()) < rows.cols()) rows = Matrix(rows(Eigen::all, order_));
    std::vector<Index> whole;
    bool gaps = false;
    for (Index j = 0; j < rows.cols(); ++j) {
      const Index missing = rows.col(j).array().isNaN().count();
      missing_cells_[static_cast<std::size_t>(j)] += missing;
      gaps = gaps || missing > 0;
    }
    if (gaps) {
      for (Index i = 0; i < rows.rows(); ++i)
        if (!rows.row(i).array().isNaN().any()) whole.push_back(i);
      rows = Matrix(rows(whole, Eigen::all));
    }
    sums_->add(rows);
  }

  TableMoments finished(std::vector<std::string>& remarks) {
    const Index rows = sums_->rows();
    const bool gaps = std::any_of(missing_cells_.begin(), missing_cells_.end(), [](Index cells) { return cells > 0; });
    if (gaps && missing_ == Missing::refuse) refuse_missing(table_, missing_cells_);
    if (rows == 0)
      throw Error(Fault::input, "table.missing", fmt::format("each of the {} rows has a missing cell", read_), "",
                  {.file = table_.source});
    if (rows < read_)
      remarks.push_back(
          fmt::format("{}: left out {} of {} rows, which have missing cells", table_.source, read_ - rows, read_));
    TableMoments found{rows, sums_->finished(), std::move(table_)};
    found.some_rows.values = sums_->some_rows();
    return found;
  }

  Index read() const { return read_; }
  const std::vector<std::string>& said() const { return said_; }

 private:
  Missing missing_;
  Executor executor_;
  Table table_;  // without rows
  std::unique_ptr<MomentSums> sums_;
  std::vector<Index> order_, missing_cells_;
  std::vector<std::string> said_;  // what is to be warned of
  Index read_ = 0;
};

}  // namespace

TableMoments read_moments(const std::vector<std::string>& paths, const ReadOptions& options, Missing missing,
                          std::vector<std::string>* warnings, std::vector<std::string>* remarks,
                          const std::function<bool(Index)>& observer) {
  if (paths.empty()) throw Error(Fault::usage, "table.no-files", "no file was given");
  Collector collector(missing, options.threads);
  std::vector<std::string> said;
  const auto ask = [&] {
    if (observer && !observer(collector.read()))
      throw Error(Fault::usage, "interrupted", "stopped before it was finished");
  };
  for (const std::string& path : paths) {
    InputFile file(path, most_bytes(options));
    const std::string format = format_of(file, options);
    if (format == "csv") {
      CsvStream stream(file, options, {.threads = options.threads});
      collector.begin_part(stream.names(), file.shown());
      for (Matrix rows; stream.next(rows); ask()) collector.add(std::move(rows));
      said.insert(said.end(), stream.warnings().begin(), stream.warnings().end());
    } else {
      RawTable raw = formats().make(format)->read(file, options);
      raw.file = file.shown();
      choose_columns(raw, options);
      Table table = assembled_table(std::move(raw), options, said);
      collector.begin_part(table.names, table.source);
      collector.add(std::move(table.values));
      ask();
    }
  }
  said.insert(said.end(), collector.said().begin(), collector.said().end());
  if (warnings != nullptr) warnings->insert(warnings->end(), said.begin(), said.end());
  std::vector<std::string> none;
  return collector.finished(remarks != nullptr ? *remarks : none);
}

std::optional<TableSize> likely_size(const std::vector<std::string>& paths, const ReadOptions& options) {
  constexpr std::uint64_t looked_at = 1 << 20;
  TableSize size;
  for (const std::string& path : paths) {
    std::error_code failure;
    if (path == "-" || !std::filesystem::is_regular_file(path, failure)) return std::nullopt;
    try {
      InputFile file(path, most_bytes(options));
      if (!file.compression().empty() || format_of(file, options) != "csv") return std::nullopt;
      CsvStream stream(file, options, {.threads = 1}, looked_at);
      Matrix rows;
      stream.next(rows);
      const double blocks = std::max(1.0, static_cast<double>(file.size()) / static_cast<double>(looked_at));
      size.rows += static_cast<Index>(static_cast<double>(rows.rows()) * blocks);
      size.columns = rows.cols();
      size.text_bytes = std::max(size.text_bytes, file.size());
    } catch (const Error&) {
      return std::nullopt;  // whoever reads it says what is wrong
    }
  }
  return size;
}

}  // namespace cda
