#pragma once
/// HDF5 files, as much of them as a record needs: groups, columns that grow by rows, texts, attributes.
///
/// A column is a dataset whose first dimension grows; its rows are numbers or arrays of them of a fixed shape. A file
/// that is being written is in no good state until it is closed: write beside the place where others look, then rename.
///
/// Whatever goes wrong is an InputError of kind `file` that names the file and the reason; the library's own messages
/// are silenced during our calls only. Threads may have files of their own; calls wait for each other.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace carom::hdf5 {

/// An identifier of the HDF5 library, given back with this object.
class Handle {
 public:
  Handle() = default;
  explicit Handle(std::int64_t id) : id_(id) {}
  Handle(Handle&& other) noexcept : id_(other.release()) {}
  Handle& operator=(Handle&& other) noexcept;
  ~Handle();

  [[nodiscard]] std::int64_t id() const { return id_; }
  [[nodiscard]] bool valid() const { return id_ >= 0; }
  std::int64_t release();

 private:
  std::int64_t id_ = -1;
};

/// What a column is made of, in memory: double, std::int64_t, or `text_length` bytes of UTF-8 padded with zeros.
struct Element {
  enum class Kind { real, integer, text };
  Kind kind = Kind::real;
  std::size_t text_length = 0;

  [[nodiscard]] std::size_t size() const { return kind == Kind::text ? text_length : 8; }
};

struct Column {
  std::string path;  ///< with its groups, "/events/time"
  Element element;
  std::vector<std::size_t> row;  ///< shape of one row; empty: a single element

  [[nodiscard]] std::size_t row_elements() const;
};

/// What deflate makes of one byte at most is 1032; a file that claims more is damaged.
inline constexpr std::size_t kBestCompression = 1100;

/// How the rows of a column lie in the file.
struct Storage {
  std::size_t chunk_rows = 1;  ///< rows that lie together
  bool compressed = false;     ///< a compressed chunk moves when rows are added to it: not for a file that grows
};

/// Rows of a column that lie together in the end; rows of many elements are fewer than asked for.
std::size_t rows_per_chunk(const Column& column, const Storage& storage);

/// Bytes by which a file may grow when that many rows are appended, at most.
std::size_t room_for(const Column& column, const Storage& storage, std::size_t rows);

class File {
 public:
  /// A new file; one that exists is replaced.
  static File create(const std::string& path);
  /// To add rows and overwrite numbers.
  static File append(const std::string& path);
  static File read(const std::string& path);

  /// Writes all that is still in memory. A file that is not closed explicitly keeps quiet about errors.
  void close();
  [[nodiscard]] const std::string& path() const { return path_; }
  /// Bytes of the file, as far as they are written.
  [[nodiscard]] std::size_t size() const;

  void create_group(const std::string& group);
  void create_column(const Column& column, const Storage& storage);
  void append_rows(const Column& column, std::size_t count, std::span<const std::byte> bytes);

  /// Whether there is a dataset or group of that path.
  [[nodiscard]] bool has(const std::string& path) const;
  /// Number of rows. Throws where the dataset is missing, or its type or shape are not those of `column`.
  [[nodiscard]] std::size_t rows(const Column& column) const;
  /// The rows as they lie in memory: `count` times row_elements() elements.
  void read_raw(const Column& column, std::size_t first, std::size_t count, void* values) const;
  void read_rows(const Column& column, std::size_t first, std::span<double> values) const;
  void read_rows(const Column& column, std::size_t first, std::span<std::int64_t> values) const;
  [[nodiscard]] std::vector<std::string> read_texts(const Column& column, std::size_t first, std::size_t count) const;

  /// A few numbers in a fixed place.
  void create_numbers(const std::string& path, std::span<const std::int64_t> numbers);
  void overwrite_numbers(const std::string& path, std::span<const std::int64_t> numbers);
  [[nodiscard]] std::vector<std::int64_t> read_numbers(const std::string& path) const;

  /// Bytes that mean something to us alone; those that were there are replaced. `compressed`: not in a file that grows.
  void write_bytes(const std::string& path, std::span<const std::byte> bytes, bool compressed);
  [[nodiscard]] std::vector<std::byte> read_bytes(const std::string& path) const;

  /// A list of texts, written once.
  void write_texts(const std::string& path, std::span<const std::string> texts);
  [[nodiscard]] std::vector<std::string> read_texts(const std::string& path) const;

  /// Attributes of a group or dataset ("/" is the file's own).
  void set_attribute(const std::string& object, const std::string& name, const std::string& text);
  void set_attribute(const std::string& object, const std::string& name, std::span<const std::string> texts);
  void set_attribute(const std::string& object, const std::string& name, std::int64_t number);
  /// Makes a dataset the scale of a dimension of others [HDF5 Dimension Scales], under a name.
  void make_scale(const std::string& path, const std::string& name);
  /// Attaches a scale to dimension k of a dataset; and the name of that dimension.
  void attach_scale(const std::string& path, std::size_t k, const std::string& scale);
  void label_dimension(const std::string& path, std::size_t k, const std::string& label);
  [[nodiscard]] std::optional<std::string> text_attribute(const std::string& name) const;
  [[nodiscard]] std::optional<std::vector<std::string>> text_list_attribute(const std::string& name) const;
  [[nodiscard]] std::optional<std::int64_t> integer_attribute(const std::string& name) const;

 private:
  File(std::string path, Handle handle) : path_(std::move(path)), handle_(std::move(handle)) {}
  [[nodiscard]] Handle open_attribute(const std::string& name) const;
  [[nodiscard]] Handle open_dataset(const std::string& path) const;
  void write_attribute(const std::string& object, const std::string& name, std::span<const std::string> texts,
                       const Handle& space);
  /// Throws where a list is longer than a file of this size can hold, before memory is allocated for it.
  void require_fits(std::size_t count, std::size_t bytes_each, std::string_view what) const;

  std::string path_;
  Handle handle_;
};

/// Whether this is an HDF5 file, readable or not. False where there is none.
bool is_hdf5(const std::string& path);

}  // namespace carom::hdf5
