#include "carom/record/record_words.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "carom/base/assert.h"

namespace carom {
namespace {

struct Words {
  std::string_view path, unit, description;
};

constexpr Words kColumnWords[] = {
    {"/time", "s", "model time of the samples"},
    {"/position", "m", "centre of mass"},
    {"/orientation", "1", "unit quaternion w, x, y, z that turns body into world"},
    {"/velocity", "m/s", "of the centre of mass"},
    {"/angular_velocity", "rad/s", "in the world frame"},
    {"/obstacle_position", "m", "origin of the frame of each plane and obstacle"},
    {"/obstacle_orientation", "1", "unit quaternion w, x, y, z that turns its frame into world"},
    {"/joint_force", "N", "of each joint on its first body, at the anchor"},
    {"/joint_couple", "N m", "of each joint on its first body, about the anchor"},
    {"/energy/kinetic", "J", "kinetic energy"},
    {"/energy/gravity", "J", "potential energy of gravity"},
    {"/energy/springs", "J", "stored in springs, those of joints included"},
    {"/energy/loads", "J", "potential energy of constant forces"},
    {"/energy/contacts", "J", "stored in compliant contacts"},
    {"/energy/initial", "J", "total at the start"},
    {"/energy/impacts", "J", "dissipated by impacts since the start"},
    {"/energy/damping", "J", "dissipated by dampers and resistance since the start"},
    {"/energy/cut_off", "J", "removed where contacts came to rest since the start"},
    {"/energy/contact_damping", "J", "dissipated by the damping of compliant contacts since the start"},
    {"/energy/friction", "J", "dissipated by friction of contacts that last since the start"},
    {"/energy/swallowed", "J", "of bodies that left play since the start"},
    {"/energy/wall_work", "J", "done by driven obstacles since the start"},
    {"/energy/torque_work", "J", "done by load torques and scripted impulses since the start"},
    {"/energy/motor_work", "J", "done by motors of joints since the start"},
    {"/events/time", "s", "model time of the events"},
    {"/events/kind", "", "what happened"},
    {"/events/round", "1", "0, or 1, 2, … where a law left something approaching and was asked again"},
    {"/events/law", "", "the law that answered; empty where none was asked"},
    {"/events/steps", "1", "of the law"},
    {"/events/stop", "", "why the law stopped"},
    {"/events/energy_before", "J", "kinetic, of the bodies involved"},
    {"/events/energy_after", "J", "kinetic, of the bodies involved"},
    {"/events/energy_change", "J", "kinetic, of the bodies involved"},
    {"/events/energy_change_from_impulses", "J", "the same from the impulses"},
    {"/events/contact_work", "J", "done by the contacts"},
    {"/events/wall_work", "J", "done by driven obstacles"},
    {"/events/flags", "1", "audit flags as bits; the attribute names has their names"},
    {"/events/min_impulse", "N s", "least normal impulse"},
    {"/events/min_gap_rate_after", "m/s", "least gap rate after"},
    {"/events/constraint_residual", "1", "what is left of the constraints, relative"},
    {"/events/complementarity_residual", "1", "of the audit; NaN where there is none"},
    {"/events/first_contact", "1", "first row in /events/contacts"},
    {"/events/contact_count", "1", "rows in /events/contacts"},
    {"/events/first_jump", "1", "first row in /events/jumps"},
    {"/events/jump_count", "1", "rows in /events/jumps"},
    {"/events/pocket", "1", "index into /pockets, -1: none"},
    {"/events/first_joint", "1", "first row in /events/joints"},
    {"/events/joint_count", "1", "rows in /events/joints"},
    {"/events/script", "1", "index into /script, -1: none"},
    {"/events/contacts/a", "1", "index into /objects"},
    {"/events/contacts/b", "1", "index into /objects, -1: the ground, of a limit of a joint"},
    {"/events/contacts/point", "m", "where they touch"},
    {"/events/contacts/normal", "1", "unit, from b to a"},
    {"/events/contacts/impulse", "N s", "normal, on a; of the limit of a turn an angular impulse in N m s"},
    {"/events/contacts/tangential_impulse", "N s", "on a"},
    {"/events/contacts/rate_before", "m/s", "gap rate, negative while approaching; of the limit of a turn in rad/s"},
    {"/events/contacts/rate_after", "m/s", "gap rate; of the limit of a turn in rad/s"},
    {"/events/contacts/restitution", "1", "that the law was given; NaN where no law acted"},
    {"/events/contacts/joint", "1", "index into /joints of a limit, -1: bodies touch"},
    {"/events/contacts/coordinate", "1", "of the joint, of a limit"},
    {"/events/contacts/upper", "1", "1: the upper limit, 0: the lower one"},
    {"/events/contacts/began", "s", "of a compliant contact that ends: when it began; NaN otherwise"},
    {"/events/contacts/peak_force", "N", "likewise, its greatest normal force; of the limit of a turn in N m"},
    {"/events/contacts/peak_time", "s", "likewise, when that was"},
    {"/events/jumps/body", "1", "index into /objects"},
    {"/events/jumps/velocity_before", "m/s", "of the centre of mass"},
    {"/events/jumps/velocity_after", "m/s", "of the centre of mass"},
    {"/events/jumps/angular_velocity_before", "rad/s", "in the world frame"},
    {"/events/jumps/angular_velocity_after", "rad/s", "in the world frame"},
    {"/events/joints/joint", "1", "index into /joints"},
    {"/events/joints/force", "N s", "impulse on the first body of the joint, at its anchor"},
    {"/events/joints/couple", "N m s", "angular impulse about the anchor"},
    {"/contact_forces/sample", "1", "row of /time"},
    {"/contact_forces/a", "1", "index into /objects"},
    {"/contact_forces/b", "1", "index into /objects"},
    {"/contact_forces/point", "m", "where they touch"},
    {"/contact_forces/normal", "1", "unit, from b to a"},
    {"/contact_forces/force", "N", "normal force on a; NaN where it could not be found"},
    {"/contact_forces/friction", "N", "force of friction on a"},
    {"/contact_forces/couple", "N m", "torque on a against rolling and spinning"},
    {"/contact_forces/mode", "", "stick, roll, slide, or smooth where there is no friction"},
    {"/model/bodies/mass", "kg", "mass"},
    {"/model/bodies/inertia", "kg m2", "principal moments about the centre of mass"},
    {"/model/bodies/principal_axes", "1", "unit quaternion w, x, y, z that turns principal axes into the body's"},
    {"/model/bodies/material", "", "name of the material; empty: none"},
    {"/model/obstacles/position", "m", "origin of the frame at time 0"},
    {"/model/obstacles/orientation", "1", "unit quaternion w, x, y, z that turns its frame into world, at time 0"},
    {"/model/obstacles/driven", "1", "1: it moves, see /obstacle_position"},
    {"/model/obstacles/material", "", "name of the material; empty: none"},
    {"/model/parts/object", "1", "index into /objects"},
    {"/model/parts/shape", "", "kind of shape"},
    {"/model/parts/size", "m",
     "sphere, shell: radius; ellipsoid: semi axes; box: half sizes; cylinder, capsule, bore, half_cylinder: radius, "
     "half "
     "length; cone: radius, height; rod, prism: half length; NaN beyond"},
    {"/model/parts/position", "m", "of the frame of the shape in that of its object"},
    {"/model/parts/orientation", "1", "unit quaternion w, x, y, z that turns the shape's frame into the object's"},
    {"/model/parts/first_vertex", "1", "first row in /model/vertices/position"},
    {"/model/parts/vertex_count", "1", "rows in /model/vertices/position; 0 but of prisms and convex shapes"},
    {"/model/vertices/position", "m", "corners of prisms and convex shapes, in the frame of the shape"},
};

constexpr Words kNameWords[] = {
    {"/objects", "", "names of the bodies, then of the planes and obstacles"},
    {"/bodies", "", "names of the bodies: the first of /objects"},
    {"/obstacles", "", "names of the planes and obstacles: the rest of /objects"},
    {"/pockets", "", "names of the pockets"},
    {"/joints", "", "names of the joints"},
    {"/joint_kinds", "", "kinds of the joints"},
    {"/script", "", "names of the scripted events"},
    {"/axes", "", "of the world, or of the frame that a description names"},
    {"/quaternion", "", "components of a quaternion"},
    {"/rows", "1", "how many rows of samples, events, contacts, jumps, joints and contact forces are good"},
};

constexpr Words kCheckpointWords[] = {
    {kCheckpoint, "1", "what the run can go on from (carom resume), as bytes for the version that wrote them"},
    {kCheckpointRows, "1",
     "rows of the six tables, as in /rows, that come before it, and the wall time in microseconds"},
};

bool begins(const std::string& path, std::string_view folder) {
  return std::string_view(path).substr(0, folder.size()) == folder;
}

/// What the rows of a column are.
std::string_view rows_of(const std::string& path) {
  struct Table {
    std::string_view folder, rows;
  };
  constexpr Table kTables[] = {{"/events/contacts/", "contact"},      {"/events/jumps/", "jump"},
                               {"/events/joints/", "joint impulse"},  {"/events/", "event"},
                               {"/contact_forces/", "contact force"}, {"/model/bodies/", "body"},
                               {"/model/obstacles/", "obstacle"},     {"/model/parts/", "part"},
                               {"/model/vertices/", "vertex"}};
  for (const Table& table : kTables)
    if (begins(path, table.folder)) return table.rows;
  return "time";
}

/// All dimensions of a column, the rows first.
std::vector<std::string_view> dimensions_of(const hdf5::Column& column) {
  std::vector<std::string_view> labels{rows_of(column.path)};
  if (column.row.size() == 2)
    labels.push_back(begins(column.path, "/joint_")      ? "joint"
                     : begins(column.path, "/obstacle_") ? "obstacle"
                                                         : "body");
  if (!column.row.empty()) labels.push_back(column.row.back() == 4 ? "quaternion" : "axis");
  return labels;
}

/// The dataset along a dimension; empty where there is none.
std::string scale_of(std::string_view dimension) {
  constexpr Words kScales[] = {{"/time", "", "time"},          {"/events/time", "", "event"}, {kBodies, "", "body"},
                               {kObstacles, "", "obstacle"},   {kJoints, "", "joint"},        {kAxes, "", "axis"},
                               {kQuaternion, "", "quaternion"}};
  for (const Words& scale : kScales)
    if (scale.description == dimension) return std::string(scale.path);
  return {};
}

/// Names have no unit: they are marked as pure numbers are.
void write_words(hdf5::File& file, const Words& words) {
  const std::string path(words.path);
  file.set_attribute(path, "units", words.unit.empty() ? "1" : std::string(words.unit));
  file.set_attribute(path, "description", std::string(words.description));
}

}  // namespace

void describe_columns(hdf5::File& file, const Columns& columns) {
  for (const hdf5::Column& column : columns) {
    const auto words = std::find_if(std::begin(kColumnWords), std::end(kColumnWords),
                                    [&](const Words& one) { return one.path == column.path; });
    CAROM_ASSERT(words != std::end(kColumnWords));
    write_words(file, *words);
    const std::vector<std::string_view> dimensions = dimensions_of(column);
    for (std::size_t k = 0; k < dimensions.size(); ++k) {
      const std::string scale = scale_of(dimensions[k]);
      file.label_dimension(column.path, k, std::string(dimensions[k]));
      if (!scale.empty() && scale != column.path) file.attach_scale(column.path, k, scale);
    }
  }
}

void describe_names(hdf5::File& file) {
  for (const Words& words : kNameWords) write_words(file, words);
  for (const char* const dimension : {"time", "event", "body", "obstacle", "joint", "axis", "quaternion"})
    file.make_scale(scale_of(dimension), dimension);
  for (const char* const dimension : {"body", "obstacle", "joint", "axis", "quaternion"})
    file.label_dimension(scale_of(dimension), 0, dimension);
  for (const auto& [path, dimension] :
       {std::pair{"/objects", "object"}, std::pair{"/pockets", "pocket"}, std::pair{"/joint_kinds", "joint"},
        std::pair{"/script", "scripted event"}, std::pair{"/rows", "table"}})
    file.label_dimension(path, 0, dimension);
  file.attach_scale("/joint_kinds", 0, scale_of("joint"));
}

void describe_checkpoint(hdf5::File& file) {
  for (const Words& words : kCheckpointWords) write_words(file, words);
  file.label_dimension(kCheckpoint, 0, "byte");
  file.label_dimension(kCheckpointRows, 0, "table");
}

}  // namespace carom
