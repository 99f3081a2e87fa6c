#pragma once
/// Consecutive samples of a record in memory, column by column, each read when it is first asked for.

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "carom/record/record_reader.h"

namespace carom {

/// Samples by their number: what the motion between two of them is found from.
class Samples {
 public:
  Samples() = default;
  Samples(const Samples&) = default;
  Samples& operator=(const Samples&) = delete;
  virtual ~Samples() = default;

  [[nodiscard]] virtual double time(std::size_t i) = 0;
  [[nodiscard]] virtual BodyState body(std::size_t i, int body) = 0;
  [[nodiscard]] virtual const EnergyBook& energy(std::size_t i) = 0;
};

class SampleBlock final : public Samples {
 public:
  /// The samples [first, end) of the record.
  SampleBlock(const RecordReader& record, std::size_t first, std::size_t end)
      : record_(record), first_(first), end_(end) {}

  /// How many samples with so many bodies make a block of moderate size.
  static std::size_t usual_size(std::size_t bodies);

  [[nodiscard]] std::size_t size() const { return end_ - first_; }

  // Index i counts from the first sample of the block.
  [[nodiscard]] double number(const char* path, std::size_t i) { return column(path)[i]; }
  [[nodiscard]] double time(std::size_t i) override { return number("/time", i); }
  [[nodiscard]] Eigen::Vector3d vector(const char* path, std::size_t i, int body);
  [[nodiscard]] Eigen::Vector3d joint_vector(const char* path, std::size_t i, int joint);
  [[nodiscard]] Eigen::Quaterniond orientation(std::size_t i, int body);
  [[nodiscard]] BodyState body(std::size_t i, int body) override;
  [[nodiscard]] State state(std::size_t i);
  [[nodiscard]] const EnergyBook& energy(std::size_t i) override;
  /// What contacts do; none where that was not recorded.
  [[nodiscard]] std::span<const ContactLoad> contact_loads(std::size_t i);

 private:
  const std::vector<double>& column(const char* path);
  void read_energies();

  const RecordReader& record_;
  std::size_t first_;
  std::size_t end_;
  std::map<std::string, std::vector<double>, std::less<>> columns_;
  std::vector<EnergyBook> energies_;
  std::optional<ContactLoadBlock> contact_loads_;
};

}  // namespace carom
