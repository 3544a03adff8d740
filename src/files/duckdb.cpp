// The part of DuckDB's C interface that is needed, in our own words (version 1.4; its handles are pointers to things
// that only DuckDB looks into). The library stays loaded once it is: it keeps data of its own for each thread.
#include "files/duckdb.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "cda/error.hpp"

namespace cda {
namespace {

constexpr int success = 0;
constexpr int double_type = 11, varchar_type = 17;

// A text of a vector: up to twelve bytes stand in it, longer ones elsewhere.
struct Text {
  std::uint32_t length;
  std::array<char, 4> prefix;
  union {
    std::array<char, 8> rest;
    const char* pointer;
  };
};
static_assert(sizeof(Text) == 16);
constexpr std::uint32_t longest_inlined = 12;

}  // namespace

// A result as DuckDB hands it out: five fields of old times, then its own pointer. It is passed by value.
struct DuckDbResult {
  std::uint64_t old_column_count = 0, old_row_count = 0, old_rows_changed = 0;
  void* old_columns = nullptr;
  char* old_error_message = nullptr;
  void* internal_data = nullptr;
};
static_assert(sizeof(DuckDbResult) == 48);

// Its functions, each looked up under its name.
struct DuckDbApi {
  explicit DuckDbApi(void* loaded) : library(loaded) {}

  struct Found {
    void* address;
    template <typename Function>
    operator Function*() const {
      return reinterpret_cast<Function*>(address);
    }
  };
  Found found(const char* name) const {
    void* const address = ::dlsym(library, fmt::format("duckdb_{}", name).c_str());
    if (address == nullptr)
      throw Error(Fault::usage, "duckdb.version", fmt::format("this library of DuckDB lacks duckdb_{}", name),
                  "scripts/install-parquet installs one that is known to work");
    return {address};
  }

  void* library;

  int (*create_config)(void** config) = found("create_config");
  int (*set_config)(void* config, const char* name, const char* value) = found("set_config");
  void (*destroy_config)(void** config) = found("destroy_config");
  int (*open_ext)(const char* path, void** database, void* config, char** error) = found("open_ext");
  void (*close)(void** database) = found("close");
  int (*connect)(void* database, void** connection) = found("connect");
  void (*disconnect)(void** connection) = found("disconnect");
  void (*free)(void* memory) = found("free");

  int (*prepare)(void* connection, const char* query, void** statement) = found("prepare");
  const char* (*prepare_error)(void* statement) = found("prepare_error");
  void (*destroy_prepare)(void** statement) = found("destroy_prepare");
  int (*execute_prepared_streaming)(void* statement, DuckDbResult* result) = found("execute_prepared_streaming");
  const char* (*result_error)(DuckDbResult* result) = found("result_error");
  void (*destroy_result)(DuckDbResult* result) = found("destroy_result");
  void* (*fetch_chunk)(DuckDbResult result) = found("fetch_chunk");

  void (*destroy_data_chunk)(void** chunk) = found("destroy_data_chunk");
  std::uint64_t (*data_chunk_get_size)(void* chunk) = found("data_chunk_get_size");
  std::uint64_t (*data_chunk_get_column_count)(void* chunk) = found("data_chunk_get_column_count");
  void* (*data_chunk_get_vector)(void* chunk, std::uint64_t column) = found("data_chunk_get_vector");
  void* (*vector_get_data)(void* vector) = found("vector_get_data");
  std::uint64_t* (*vector_get_validity)(void* vector) = found("vector_get_validity");

  void* (*create_logical_type)(int type) = found("create_logical_type");
  void (*destroy_logical_type)(void** type) = found("destroy_logical_type");
  void* (*create_data_chunk)(void** types, std::uint64_t columns) = found("create_data_chunk");
  void (*data_chunk_reset)(void* chunk) = found("data_chunk_reset");
  void (*data_chunk_set_size)(void* chunk, std::uint64_t size) = found("data_chunk_set_size");
  void (*vector_ensure_validity_writable)(void* vector) = found("vector_ensure_validity_writable");
  void (*vector_assign_string_element_len)(void* vector, std::uint64_t row, const char* text,
                                           std::uint64_t length) = found("vector_assign_string_element_len");
  std::uint64_t (*vector_size)() = found("vector_size");
  int (*appender_create)(void* connection, const char* schema, const char* table,
                         void** appender) = found("appender_create");
  int (*append_data_chunk)(void* appender, void* chunk) = found("append_data_chunk");
  int (*appender_close)(void* appender) = found("appender_close");
  const char* (*appender_error)(void* appender) = found("appender_error");
  int (*appender_destroy)(void** appender) = found("appender_destroy");
};

namespace {

DuckDbApi loaded_api() {
  std::string reason;
  for (const std::string& candidate : duckdb_libraries()) {
    if (void* const library = ::dlopen(candidate.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE))
      return DuckDbApi(library);
    // Of several places the last one's reason is only that the system has none: the first one's says more.
    const char* const said = ::dlerror();
    if (reason.empty() && said != nullptr) reason = said;
  }
  throw Error(Fault::usage, "duckdb.missing",
              fmt::format("Parquet needs DuckDB's library, which cannot be loaded: {}", in_quotes(reason, 300)),
              "scripts/install-parquet installs it; or set CDA_DUCKDB to the path of a libduckdb.so");
}

class OwnedResult {
 public:
  explicit OwnedResult(const DuckDbApi& api) : api_(api) {}
  OwnedResult(const OwnedResult&) = delete;
  OwnedResult& operator=(const OwnedResult&) = delete;
  ~OwnedResult() { api_.destroy_result(&result); }
  const char* error() { return api_.result_error(&result); }

  DuckDbResult result;

 private:
  const DuckDbApi& api_;
};

void clear_validity(std::uint64_t* validity, std::uint64_t row) {
  validity[row / 64] &= ~(std::uint64_t{1} << (row % 64));
}

}  // namespace

bool DuckDbFailure::out_of_memory() const { return std::strncmp(what(), "Out of Memory", 13) == 0; }

std::vector<std::string> duckdb_libraries() {
  const char* const asked = std::getenv("CDA_DUCKDB");
  if (asked != nullptr && *asked != '\0') return {asked};
  std::vector<std::string> places;
  std::array<char, PATH_MAX> program{};
  const ssize_t length = ::readlink("/proc/self/exe", program.data(), program.size());
  if (length > 0) {
    const std::string path(program.data(), static_cast<std::size_t>(length));
    places.push_back(path.substr(0, path.rfind('/')) + "/plugins/libduckdb.so");
  }
  places.emplace_back("libduckdb.so");
  return places;
}

DuckDbRows::DuckDbRows(const DuckDbApi& api, void* chunk) : count_(static_cast<Index>(api.data_chunk_get_size(chunk))) {
  for (std::uint64_t j = 0; j < api.data_chunk_get_column_count(chunk); ++j) {
    void* const vector = api.data_chunk_get_vector(chunk, j);
    columns_.push_back({api.vector_get_data(vector), api.vector_get_validity(vector)});
  }
}

bool DuckDbRows::missing(Index row, Index column) const {
  const std::uint64_t* const validity = at(column).validity;
  return validity != nullptr && (validity[row / 64] >> (row % 64) & 1) == 0;
}

std::string_view DuckDbRows::text(Index row, Index column) const {
  const Text& text = values<Text>(column)[row];
  return {text.length <= longest_inlined ? text.prefix.data() : text.pointer, text.length};
}

// Closes, disconnects or destroys in the end what DuckDB has made.
template <typename Destroy>
class DuckDbHandle {
 public:
  explicit DuckDbHandle(Destroy destroy, void* handle = nullptr) : destroy_(destroy), handle_(handle) {}
  DuckDbHandle(const DuckDbHandle&) = delete;
  DuckDbHandle& operator=(const DuckDbHandle&) = delete;
  ~DuckDbHandle() {
    if (handle_ != nullptr) destroy_(&handle_);
  }
  void* get() const { return handle_; }
  void** put() { return &handle_; }

 private:
  Destroy destroy_;
  void* handle_;
};

struct DuckDb::Handles {
  explicit Handles(const DuckDbApi& api) : database(api.close), connection(api.disconnect) {}

  DuckDbHandle<void (*)(void**)> database, connection;  // the connection ends first
};

DuckDb::DuckDb(int descriptor)
    : path_(fmt::format("/proc/self/fd/{}", descriptor)),
      file_("'" + path_ + "'"),
      api_(std::make_unique<DuckDbApi>(loaded_api())),
      handles_(std::make_unique<Handles>(*api_)) {
  DuckDbHandle config(api_->destroy_config);
  if (api_->create_config(config.put()) != success) throw DuckDbFailure("it cannot be configured");
  for (const auto& [name, value] : {std::pair{"threads", "1"}, std::pair{"autoinstall_known_extensions", "false"},
                                    std::pair{"autoload_known_extensions", "false"}, std::pair{"temp_directory", ""}})
    if (api_->set_config(config.get(), name, value) != success)
      throw DuckDbFailure(fmt::format("it does not know the setting {}", name));
  char* error = nullptr;
  if (api_->open_ext(nullptr, handles_->database.put(), config.get(), &error) != success) {
    const DuckDbFailure reason = failure(error);
    if (error != nullptr) api_->free(error);
    throw reason;
  }
  if (api_->connect(handles_->database.get(), handles_->connection.put()) != success)
    throw DuckDbFailure("it cannot be connected to");
  try {
    run("SET TimeZone = 'UTC'");
  } catch (const DuckDbFailure&) {  // a build without time zones knows no other
  }
  run("SET allowed_paths = [" + file_ + "]");
  run("SET enable_external_access = false");
  run("SET lock_configuration = true");
}

DuckDb::~DuckDb() = default;

DuckDbFailure DuckDb::failure(const char* text) const {
  std::string line = text == nullptr || *text == '\0' ? "it does not say why" : text;
  line.resize(std::min(line.size(), line.find('\n')));  // what follows shows the statement, which is ours
  for (const std::string& name : {"file " + file_, "file \"" + path_ + '"', "file " + path_, file_, path_})
    for (std::size_t at = line.find(name); at != std::string::npos; at = line.find(name, at))
      line.replace(at, name.size(), "the file");
  return DuckDbFailure(line);
}

void DuckDb::run(const std::string& statement) {
  each(statement, [](const DuckDbRows&) {});
}

void DuckDb::each(const std::string& query, const std::function<void(const DuckDbRows&)>& take) {
  DuckDbHandle statement(api_->destroy_prepare);
  if (api_->prepare(handles_->connection.get(), query.c_str(), statement.put()) != success)
    throw failure(api_->prepare_error(statement.get()));
  OwnedResult result(*api_);
  if (api_->execute_prepared_streaming(statement.get(), &result.result) != success) throw failure(result.error());
  for (;;) {
    const DuckDbHandle chunk(api_->destroy_data_chunk, api_->fetch_chunk(result.result));
    // Nothing is handed out at the end and after an error alike.
    if (const char* const error = result.error()) throw failure(error);
    if (chunk.get() == nullptr) return;
    const DuckDbRows rows(*api_, chunk.get());
    if (rows.count() == 0) return;
    take(rows);
  }
}

void DuckDb::insert(const std::string& name, const Table& table) {
  const Index names = table.index.empty() ? 0 : 1, columns = names + table.columns();
  std::string definition = fmt::format("CREATE TABLE {} (", name);
  for (Index j = 0; j < columns; ++j)
    definition += fmt::format("{}c{} {}", j == 0 ? "" : ", ", j, j < names ? "VARCHAR" : "DOUBLE");
  run(definition + ")");

  DuckDbHandle text(api_->destroy_logical_type, api_->create_logical_type(varchar_type));
  DuckDbHandle number(api_->destroy_logical_type, api_->create_logical_type(double_type));
  std::vector<void*> types(static_cast<std::size_t>(columns), number.get());
  if (names == 1) types.front() = text.get();
  DuckDbHandle chunk(api_->destroy_data_chunk, api_->create_data_chunk(types.data(), types.size()));
  DuckDbHandle appender(api_->appender_destroy);
  if (api_->appender_create(handles_->connection.get(), nullptr, name.c_str(), appender.put()) != success)
    throw failure(api_->appender_error(appender.get()));

  const auto room = static_cast<Index>(api_->vector_size());
  for (Index begin = 0; begin < table.rows(); begin += room) {
    const Index count = std::min(room, table.rows() - begin);
    api_->data_chunk_reset(chunk.get());
    for (Index j = 0; j < columns; ++j) {
      void* const vector = api_->data_chunk_get_vector(chunk.get(), static_cast<std::uint64_t>(j));
      api_->vector_ensure_validity_writable(vector);
      std::uint64_t* const validity = api_->vector_get_validity(vector);
      auto* const values = static_cast<double*>(api_->vector_get_data(vector));
      for (Index i = 0; i < count; ++i) {
        const auto row = static_cast<std::uint64_t>(i);
        if (j < names) {
          const std::string& entry = table.index[static_cast<std::size_t>(begin + i)];
          api_->vector_assign_string_element_len(vector, row, entry.data(), entry.size());
          continue;
        }
        values[i] = table.values(begin + i, j - names);
        if (std::isnan(values[i])) clear_validity(validity, row);
      }
    }
    api_->data_chunk_set_size(chunk.get(), static_cast<std::uint64_t>(count));
    if (api_->append_data_chunk(appender.get(), chunk.get()) != success)
      throw failure(api_->appender_error(appender.get()));
  }
  if (api_->appender_close(appender.get()) != success) throw failure(api_->appender_error(appender.get()));
}

}  // namespace cda
