#include "batch_arrays.h"

#include <algorithm>
#include <utility>

namespace carom::python {
namespace {

/// Cuts arrays out of a block of memory, one after the other; those of larger entries first, so that all are aligned.
class Block {
 public:
  explicit Block(std::size_t bytes) : memory_(static_cast<py::ssize_t>(bytes)), next_(memory_.mutable_data()) {}

  template <class Number>
  py::array cut(std::vector<py::ssize_t> shape) {
    py::array array(py::dtype::of<Number>(), std::move(shape), next_, memory_);
    next_ += array.nbytes();
    return array;
  }

 private:
  py::array_t<std::uint8_t> memory_;
  std::uint8_t* next_;
};

template <class Number>
Number* numbers_of(const py::array& array) {
  return const_cast<Number*>(static_cast<const Number*>(array.data()));
}

}  // namespace

OutcomeArrays::OutcomeArrays(const ProblemArrays& problems) {
  const auto count = static_cast<py::ssize_t>(problems.count());
  const py::ssize_t n = problems.coordinates(), m = problems.contacts(), t = problems.tangents();
  const std::size_t reals = static_cast<std::size_t>(m) * (2 + static_cast<std::size_t>(t)) + 2;
  const std::size_t each = reals * sizeof(double) + sizeof(std::int64_t) + sizeof(std::uint32_t) + sizeof(std::int8_t);
  velocity_ = py::array_t<double>({count, n});
  Block block(problems.count() * each);
  impulses_ = block.cut<double>({count, m});
  tangential_impulses_ = block.cut<double>({count, m, t});
  rates_after_ = block.cut<double>({count, m});
  energy_before_ = block.cut<double>({count});
  energy_after_ = block.cut<double>({count});
  steps_ = block.cut<std::int64_t>({count});
  flags_ = block.cut<std::uint32_t>({count});
  stop_ = block.cut<std::int8_t>({count});
  std::fill_n(numbers_of<double>(tangential_impulses_), tangential_impulses_.size(), 0.0);
}

OutcomeNumbers OutcomeArrays::numbers() const {
  return {.velocity = numbers_of<double>(velocity_),
          .impulses = numbers_of<double>(impulses_),
          .tangential_impulses = numbers_of<double>(tangential_impulses_),
          .rates_after = numbers_of<double>(rates_after_),
          .energy_before = numbers_of<double>(energy_before_),
          .energy_after = numbers_of<double>(energy_after_),
          .steps = numbers_of<std::int64_t>(steps_),
          .stop = numbers_of<std::int8_t>(stop_),
          .flags = numbers_of<std::uint32_t>(flags_)};
}

py::dict OutcomeArrays::by_name() const {
  py::dict arrays;
  arrays["velocity"] = velocity_;
  arrays["impulses"] = impulses_;
  arrays["tangential_impulses"] = tangential_impulses_;
  arrays["gap_rates_after"] = rates_after_;
  arrays["energy_before"] = energy_before_;
  arrays["energy_after"] = energy_after_;
  arrays["steps"] = steps_;
  arrays["stop_code"] = stop_;
  arrays["flag_bits"] = flags_;
  return arrays;
}

}  // namespace carom::python
