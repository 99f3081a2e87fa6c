#pragma once
/// One VTK XML PolyData file: points, polygons or vertices, arrays on cells and points; binary, appended raw.
///
/// Source: VTK File Formats (The VTK User's Guide, 11th edition): XML formats, appended data with 64-bit headers.

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "carom/export/whole_file.h"

namespace carom {

class VtpFile {
 public:
  /// Precision in which points and arrays of numbers are stored.
  enum class Precision { single, full };
  enum class On { points, cells };

  explicit VtpFile(Precision precision) : precision_(precision) {}

  void add_points(std::span<const Eigen::Vector3d> points);
  /// A polygon of points that were added.
  void add_polygon(std::span<const int> corners, int offset);
  /// Every point is a cell of its own; no polygons then.
  void make_vertices();

  // Arrays, as long as there are points or cells. Names are ours and need no escaping.
  void add_numbers(On on, std::string_view name, std::span<const double> values);
  void add_vectors(On on, std::string_view name, std::span<const Eigen::Vector3d> values);
  /// Tuples of `width` numbers one behind the other.
  void add_tuples(On on, std::string_view name, std::size_t width, std::span<const double> values);
  void add_integers(On on, std::string_view name, std::span<const std::int64_t> values);
  /// Field data: the time of the frame, and a table of names, which may be any text.
  void set_time(double time) { time_ = time; }
  void set_names(std::vector<std::string> names) { names_ = std::move(names); }

  /// Writes and keeps the file; returns its size [bytes]. Throws InputError (file).
  std::uint64_t write(const std::string& path) const;

 private:
  struct Array {
    std::string element;  ///< the start of its XML element
    std::string bytes;
  };
  [[nodiscard]] Array real_array(std::string_view name, std::size_t width, std::span<const double> values) const;
  static Array integer_array(std::string_view name, std::span<const std::int64_t> values);
  [[nodiscard]] Array name_array() const;
  std::vector<Array>& arrays(On on) { return on == On::points ? point_arrays_ : cell_arrays_; }

  Precision precision_;
  std::vector<double> points_;  ///< x, y, z one behind the other
  std::vector<std::int64_t> connectivity_, offsets_;
  bool vertices_ = false;
  std::vector<Array> point_arrays_, cell_arrays_;
  double time_ = 0.0;
  std::vector<std::string> names_;
};

}  // namespace carom
