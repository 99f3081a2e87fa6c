/// Records with something wrong inside: each is refused with its reason, when it is opened or when that part is read,
/// and never a crash.

#include <hdf5.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>

#include "carom/base/error.h"
#include "carom/base/random.h"
#include "carom/record/record_check.h"
#include "record/fake_run.h"
#include "support/property_cases.h"

namespace carom::test::damaged_record_test {
namespace {

constexpr int kEvents = 100;

/// A small complete record, open to be damaged.
class Victim {
 public:
  explicit Victim(const ScratchFolder& folder) : path_(folder.file("run.h5")) {
    RecordWriter writer(path_, fake_model(), fake_header());
    tell(writer, 0, kEvents);
    writer.finish(RunStop::duration, "{}");
    file_ = H5Fopen(path_.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  }
  Victim(const Victim&) = delete;
  Victim& operator=(const Victim&) = delete;
  ~Victim() { close(); }

  const std::string& close() {
    if (file_ >= 0) H5Fclose(file_);
    file_ = -1;
    return path_;
  }

  void remove(const char* dataset) const { EXPECT_GE(H5Ldelete(file_, dataset, H5P_DEFAULT), 0); }

  /// Another dataset in place of one.
  void replace(const char* dataset, hid_t type, const std::vector<hsize_t>& size) const {
    remove(dataset);
    const hid_t space = H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr);
    const hid_t made = H5Dcreate2(file_, dataset, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    EXPECT_GE(made, 0);
    H5Dclose(made);
    H5Sclose(space);
  }

  /// One integer of a column, or of the list of row counts.
  void set(const char* dataset, hsize_t row, std::int64_t value) const {
    const hid_t data = H5Dopen2(file_, dataset, H5P_DEFAULT);
    const hid_t space = H5Dget_space(data);
    EXPECT_GE(H5Sselect_elements(space, H5S_SELECT_SET, 1, &row), 0);
    const hid_t one = H5Screate(H5S_SCALAR);
    EXPECT_GE(H5Dwrite(data, H5T_NATIVE_INT64, one, space, H5P_DEFAULT, &value), 0);
    H5Sclose(one);
    H5Sclose(space);
    H5Dclose(data);
  }

  void set_attribute(const char* name, std::int64_t value) const {
    const hid_t attribute = H5Aopen(file_, name, H5P_DEFAULT);
    EXPECT_GE(H5Awrite(attribute, H5T_NATIVE_INT64, &value), 0);
    H5Aclose(attribute);
  }
  void remove_attribute(const char* name) const { EXPECT_GE(H5Adelete(file_, name), 0); }

  /// More rows in a column, without anything in them.
  void stretch(const char* dataset, const std::vector<hsize_t>& size) const {
    const hid_t data = H5Dopen2(file_, dataset, H5P_DEFAULT);
    EXPECT_GE(H5Dset_extent(data, size.data()), 0);
    H5Dclose(data);
  }

 private:
  std::string path_;
  hid_t file_ = -1;
};

/// Everything that can be read of a record.
void read_all(const std::string& path) {
  RecordReader record(path);
  for (std::size_t first = 0; first < record.event_count(); first += 50) (void)record.events(first, 50);
  (void)record.count_events();
  (void)record.first_event_from(0.3);
  for (std::size_t i = 0; i < record.sample_count(); ++i) {
    (void)record.state(i);
    (void)record.energy(i);
  }
  (void)record.series("/position", 0, record.sample_count());
}

void expect_refusal(const std::string& part, const std::function<void(const Victim&)>& damage, Kind kind = Kind::file) {
  SCOPED_TRACE(part);
  const ScratchFolder folder;
  Victim victim(folder);
  damage(victim);
  const std::string path = victim.close();
  try {
    read_all(path);
    ADD_FAILURE() << "no error";
  } catch (const InputError& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    EXPECT_EQ(error.place().file, path);
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

TEST(DamagedRecord, TheUndamagedOneIsReadToItsEnd) {
  const ScratchFolder folder;
  Victim victim(folder);
  EXPECT_NO_THROW(read_all(victim.close()));
}

TEST(DamagedRecord, ANewerFormatNamesTheVersionsInvolved) {
  expect_refusal(
      "its format is 2, written by carom ", [](const Victim& victim) { victim.set_attribute("format", 2); },
      Kind::unsupported);
  expect_refusal("damaged", [](const Victim& victim) { victim.set_attribute("format", -1); });
}

TEST(DamagedRecord, AMissingDatasetIsNamed) {
  for (const char* const dataset : {"/time", "/position", "/energy/friction", "/events/time", "/events/law",
                                    "/events/contacts/normal", "/events/jumps/body", "/objects", "/pockets", "/rows"}) {
    expect_refusal(dataset, [dataset](const Victim& victim) { victim.remove(dataset); });
  }
  expect_refusal("no record of carom", [](const Victim& victim) { victim.remove("/events"); });
  expect_refusal("no record of carom", [](const Victim& victim) { victim.remove_attribute("format"); });
  expect_refusal("damaged", [](const Victim& victim) { victim.remove_attribute("scene"); });
}

TEST(DamagedRecord, AnOlderOneWithoutRestitutionsIsReadWithoutThem) {
  const ScratchFolder folder;
  Victim victim(folder);
  victim.remove("/events/contacts/restitution");
  RecordReader record(victim.close());
  const EventBlock block = record.events(0, kEvents);
  ASSERT_GT(block.contacts.size(), 100u);
  for (const ContactRecord& contact : block.contacts) EXPECT_EQ(contact.restitution, std::nullopt);
  EXPECT_EQ(block.contacts[0].rate_after, FakeEvent(1).contacts[0].rate_after);
  // What is there can still be compared.
  RecordCheck check(record, nullptr);
  tell(check, 0, kEvents);
  check.finish(RunStop::duration);
  EXPECT_FALSE(check.first_difference());
  EXPECT_EQ(check.events(), static_cast<std::size_t>(kEvents));
}

TEST(DamagedRecord, ADatasetOfAnotherTypeOrShapeIsNamed) {
  const auto expect_type = [](const char* dataset, hid_t type, std::vector<hsize_t> size) {
    expect_refusal(std::string(dataset) + " has an unexpected type",
                   [&](const Victim& victim) { victim.replace(dataset, type, size); });
  };
  expect_type("/time", H5T_NATIVE_INT64, {10});
  expect_type("/time", H5T_NATIVE_FLOAT, {10});
  expect_type("/events/round", H5T_NATIVE_DOUBLE, {kEvents});
  expect_type("/events/kind", H5T_NATIVE_INT64, {kEvents});
  expect_type("/objects", H5T_NATIVE_INT64, {5});
  const auto expect_shape = [](const char* dataset, hid_t type, std::vector<hsize_t> size) {
    expect_refusal(std::string(dataset) + " has an unexpected shape",
                   [&](const Victim& victim) { victim.replace(dataset, type, size); });
  };
  expect_shape("/position", H5T_NATIVE_DOUBLE, {10, 3, 2});
  expect_shape("/position", H5T_NATIVE_DOUBLE, {10, 9});
  expect_shape("/orientation", H5T_NATIVE_DOUBLE, {10, 2, 4});
  expect_shape("/events/contacts/point", H5T_NATIVE_DOUBLE, {150});
  expect_shape("/rows", H5T_NATIVE_INT64, {100});
  expect_refusal("/rows is damaged", [](const Victim& victim) { victim.replace("/rows", H5T_NATIVE_INT64, {3}); });
}

TEST(DamagedRecord, CountsOfRowsThatDoNotFitAreRefused) {
  expect_refusal("/time is shorter", [](const Victim& victim) { victim.set("/rows", 0, 11); });
  expect_refusal("/events/time is shorter", [](const Victim& victim) { victim.set("/rows", 1, kEvents + 1); });
  expect_refusal("is shorter", [](const Victim& victim) { victim.set("/rows", 2, -1); });
  expect_refusal("do not belong together", [](const Victim& victim) { victim.set("/rows", 2, 100); });
  expect_refusal("do not belong together", [](const Victim& victim) { victim.set("/rows", 3, 0); });
  expect_refusal("/time is shorter", [](const Victim& victim) { victim.stretch("/time", {9}); });
}

TEST(DamagedRecord, AFileThatClaimsMoreThanItCanHoldIsRefusedAtOnce) {
  constexpr hsize_t kMany = hsize_t{1} << 40;
  expect_refusal("more rows than a file of this size can hold", [](const Victim& victim) {
    for (const hdf5::Column& column : sample_columns(3)) {
      std::vector<hsize_t> size{kMany};
      size.insert(size.end(), column.row.begin(), column.row.end());
      victim.stretch(column.path.c_str(), size);
    }
    victim.set("/rows", 0, kMany);
  });
}

TEST(DamagedRecord, BodiesAndObjectsHaveToBelongTogether) {
  expect_refusal("fewer objects", [](const Victim& victim) { victim.set_attribute("bodies", 6); });
  expect_refusal("fewer objects", [](const Victim& victim) { victim.set_attribute("bodies", std::int64_t{1} << 61); });
  expect_refusal("damaged", [](const Victim& victim) { victim.set_attribute("bodies", -1); });
  expect_refusal("unexpected shape", [](const Victim& victim) { victim.set_attribute("bodies", 2); });
}

TEST(DamagedRecord, EventsThatPointOutsideTheirTablesAreRefused) {
  constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();
  for (const char* const column :
       {"/events/first_contact", "/events/contact_count", "/events/first_jump", "/events/jump_count"}) {
    for (const std::int64_t value : {std::int64_t{-1}, std::int64_t{7000}, kLargest, -kLargest - 1}) {
      for (const hsize_t row : {hsize_t{0}, hsize_t{60}}) {
        expect_refusal("do not belong together", [&](const Victim& victim) { victim.set(column, row, value); });
      }
    }
  }
}

TEST(DamagedRecord, IndicesOfObjectsOutOfRangeAreRefused) {
  for (const std::int64_t value : {-1, 5, 1 << 30}) {
    expect_refusal("a contact names", [value](const Victim& victim) { victim.set("/events/contacts/a", 3, value); });
    expect_refusal("a contact names", [value](const Victim& victim) { victim.set("/events/contacts/b", 0, value); });
  }
  expect_refusal("a jump names", [](const Victim& victim) { victim.set("/events/jumps/body", 1, 3); });
  expect_refusal("an event names a pocket", [](const Victim& victim) { victim.set("/events/pocket", 5, 2); });
  expect_refusal("an event names a pocket", [](const Victim& victim) { victim.set("/events/pocket", 5, -2); });
}

/// Reads a file in a process of its own, since the library loses memory over damaged files and says so at the end.
/// Returns the status of its end: 0 where it was read or refused as it should be, no crash and no hang.
int reading_status(const std::string& path) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(60);
    int code = 0;
    try {
      read_all(path);
    } catch (const InputError& error) {
      code = error.kind() == Kind::file || error.kind() == Kind::unsupported ? 0 : 2;
    } catch (...) {
      code = 3;
    }
    ::_exit(code);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  return status;
}

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_text(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

TEST(DamagedRecord, ATruncatedFileIsRefused) {
  const ScratchFolder folder;
  const std::string whole = text_of(Victim(folder).close());
  const std::string cut = folder.file("cut.h5");
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{1}, std::size_t{8}, std::size_t{47}, std::size_t{48}, std::size_t{100},
        whole.size() / 4, whole.size() / 2, whole.size() - 4096, whole.size() - 1}) {
    write_text(cut, whole.substr(0, size));
    EXPECT_THROW(RecordReader{cut}, InputError) << size;
    EXPECT_FALSE(is_record(cut)) << size;
  }
  const std::size_t half = whole.size() / 2;
  write_text(cut, whole.substr(0, half));
  try {
    const RecordReader record(cut);
    FAIL() << "half a file was read";
  } catch (const InputError& error) {
    const std::string told = "it has " + std::to_string(half) + " of " + std::to_string(whole.size()) + " bytes";
    EXPECT_NE(std::string(error.what()).find(told), std::string::npos) << error.what();
  }
}

TEST(DamagedRecord, RandomBytesAreRefusedOrReadButNeverACrash) {
  const ScratchFolder folder;
  const std::string whole = text_of(Victim(folder).close());
  const std::string damaged = folder.file("damaged.h5");
  Random random(5);
  for (int round = 0; round < property_cases(300); ++round) {
    std::string bytes = whole;
    // One to ten bytes; half of the time among the first, where the structure of the file is.
    const int most = static_cast<int>(round % 2 == 0 ? bytes.size() : std::min<std::size_t>(bytes.size(), 8192));
    for (int flips = random.integer(1, 10); flips > 0; --flips) {
      bytes[static_cast<std::size_t>(random.integer(8, most - 1))] = static_cast<char>(random.integer(0, 255));
    }
    write_text(damaged, bytes);
    ASSERT_EQ(reading_status(damaged), 0) << "round " << round;
  }
}

}  // namespace
}  // namespace carom::test::damaged_record_test
