/// The parts of hdf5.h that deal with dimension scales.

#include <hdf5_hl.h>

#include "carom/record/hdf5.h"
#include "carom/record/hdf5_library.h"

namespace carom::hdf5 {

void File::make_scale(const std::string& path, const std::string& name) {
  const Quiet quiet;
  const Handle dataset = open_dataset(path);
  check(H5DSset_scale(dataset.id(), name.c_str()), path_, "write to");
}

void File::attach_scale(const std::string& path, std::size_t k, const std::string& scale) {
  const Quiet quiet;
  const Handle dataset = open_dataset(path), along = open_dataset(scale);
  check(H5DSattach_scale(dataset.id(), along.id(), static_cast<unsigned>(k)), path_, "write to");
}

void File::label_dimension(const std::string& path, std::size_t k, const std::string& label) {
  const Quiet quiet;
  const Handle dataset = open_dataset(path);
  check(H5DSset_label(dataset.id(), static_cast<unsigned>(k), label.c_str()), path_, "write to");
}

}  // namespace carom::hdf5
