#pragma once
/// What the parts of the scene reader share: the document, the scene as far as it is read, and who is called what.
/// Internal to read_scene_file and check_scene.

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "carom/mechanics/framed_body.h"
#include "carom/scene/complaints.h"
#include "carom/scene/document/fields.h"
#include "carom/scene/scene_file.h"

namespace carom::scene {

enum class ObjectKind { body, plane, obstacle, fill, rack, cradle, pocket, joint };

/// `a body`, `a plane`, …
std::string_view object_kind_name(ObjectKind kind);
/// What the entries of a section are; none where they are no objects.
std::optional<ObjectKind> kind_of_section(std::string_view section);

class Reading {
 public:
  /// Of a document that was checked against the format.
  Reading(const Document& document, SceneFile& scene, Complaints& complaints);

  [[nodiscard]] const Fields& root() const { return root_; }
  [[nodiscard]] Model& model() { return scene_.model; }
  [[nodiscard]] State& state() { return scene_.state; }
  [[nodiscard]] SceneFile& scene() { return scene_; }
  [[nodiscard]] const SceneFile& scene() const { return scene_; }
  [[nodiscard]] Complaints& complaints() { return complaints_; }
  /// The value of a key; none where it is absent or has failed.
  [[nodiscard]] std::optional<Entry> find_good(const Fields& fields, std::string_view key) const;
  /// The engine's name; throws DependsOnFailed where it could not be read.
  [[nodiscard]] const std::string& engine() const;

  /// Does some work for every entry of a section that has not failed. Those that fail keep their names, so that what
  /// refers to them is not blamed for it.
  template <class Work>
  void for_each(std::string_view section, const Work& work) {
    for (const Entry& entry : entries(section)) {
      if (!complaints_.has_failed(*entry.node) && complaints_.attempt([&] { work(Fields(entry)); })) continue;
      complaints_.mark_failed(*entry.node);
      keep_failed_name(section, entry);
    }
  }
  /// Whether the section, or an entry of it, has failed.
  [[nodiscard]] bool has_failed(std::string_view section) const;

  /// Gives a name to an object. Throws duplicate_name, mentioning the first. `index` is that in Model::bodies, or in
  /// Model::obstacles for planes and obstacles.
  void add_object(const Entry& name, const std::string& text, ObjectKind kind, std::size_t index);
  void add_material(const Entry& name, std::size_t index);

  /// Indices by name. Throw unknown_name with the nearest, wrong_type where the name is that of something else.
  [[nodiscard]] int body(const Entry& name) const { return object(name, ObjectKind::body); }
  [[nodiscard]] int plane(const Entry& name) const { return object(name, ObjectKind::plane); }
  [[nodiscard]] int joint(const Entry& name) const { return object(name, ObjectKind::joint); }
  [[nodiscard]] int material(const Entry& name) const;
  /// Index of the first ball of a cradle, of a rack.
  [[nodiscard]] int cradle_start(const Entry& name) const { return object(name, ObjectKind::cradle); }
  [[nodiscard]] int rack_start(const Entry& name) const { return object(name, ObjectKind::rack); }
  /// The body, plane or obstacle of that name under the common numbering of Model; once all bodies are known.
  [[nodiscard]] int any_object(const Entry& name) const;

  /// The material that `objects` bodies or an obstacle name with the key `material`; kNone where they name none.
  int used_material(const Fields& fields, bool movable, std::int64_t objects = 1);

  /// Where the centre of mass of a body is in the frame of its shape, which the file speaks of; zero where nobody said.
  void set_centre(int body, const Eigen::Vector3d& centre) {
    if (!centre.isZero(0.0)) centres_[body] = centre;
  }
  [[nodiscard]] Eigen::Vector3d centre(int body) const {
    const auto found = centres_.find(body);
    return found == centres_.end() ? Eigen::Vector3d(Eigen::Vector3d::Zero()) : found->second;
  }

  /// A place where a material is named.
  struct MaterialUse {
    int material;
    bool movable;
    std::int64_t objects;
    Entry entry;
  };
  [[nodiscard]] const std::vector<MaterialUse>& material_uses() const { return uses_; }

 private:
  struct Known {
    ObjectKind kind;
    int index;
    Mark mark;
  };
  using Names = std::unordered_map<std::string, Known>;

  [[nodiscard]] std::vector<Entry> entries(std::string_view section);
  [[nodiscard]] int object(const Entry& name, ObjectKind wanted) const;
  void keep_failed_name(std::string_view section, const Entry& entry);
  /// Throws DependsOnFailed where what has failed may have that name.
  void require_judgeable(const Entry& name) const;

  SceneFile& scene_;
  Complaints& complaints_;
  Fields root_;
  Names objects_;
  Names materials_;
  std::unordered_set<std::string> failed_names_;  ///< of objects and materials
  std::vector<std::string> failed_groups_;        ///< names of fills, racks and cradles that have failed
  std::unordered_set<const Node*> named_;         ///< values of `name` that were given to something, or tried to
  bool failed_without_name_ = false;              ///< something has failed whose name is not known
  std::vector<MaterialUse> uses_;
  std::unordered_map<int, Eigen::Vector3d> centres_;
};

// The parts, in the order in which they are read: later ones refer to earlier ones by name.
void read_run(Reading& reading);
/// Some options of [run], and what follows from them.
void read_run_options(Reading& reading, std::span<const std::string_view> keys);
void read_materials(Reading& reading);
void read_bodies(Reading& reading);
void read_arrangements(Reading& reading);  ///< fills, racks, cradles (arrangement.h)
void read_obstacles(Reading& reading);
/// The colour that a body, plane or obstacle names.
void read_colour(Reading& reading, const Fields& fields);
/// After all bodies.
void read_camera(Reading& reading);
void check_groups(Reading& reading);  ///< whether all that are avoided exist
void read_constraints(Reading& reading);
void read_joints(Reading& reading);
void read_springs(Reading& reading);
void read_loads(Reading& reading);
void read_pockets(Reading& reading);
void read_dents(Reading& reading);
void read_script(Reading& reading);
/// The key `active` of a [[pair]]: contacts of all objects of these materials are off until it holds.
void read_contact_switch(Reading& reading, const Fields& pair, int material_a, int material_b);
void read_shots(Reading& reading);  ///< strikes bodies whose motion is known
void read_pairs(Reading& reading);  ///< last: two materials that meet must have a pair

/// What the [[pair]] says to impact laws and, checked against their registries, to force laws. Keys that the chosen law
/// does not use are listed in SceneFile::unused.
Restitution read_restitution(const Entry& entry);
PairRule read_pair_rule(Reading& reading, const Fields& pair);
ForceRule read_force_rule(Reading& reading, const Fields& pair, const PairRule& rule);

/// The planar constraints that racks ask for; after those of the file, which errors count from the first.
void add_rack_constraints(Reading& reading);
/// The rods of cradles, likewise.
void add_cradle_constraints(Reading& reading);

/// Values that were checked against the format.
Eigen::Vector3d vector3(const Fields& fields, std::string_view key);      ///< zero where it is absent
Eigen::Vector3d unit_vector(const Fields& fields, std::string_view key);  ///< of a direction of any length
Eigen::Vector3d unit_vector(const Fields& fields, std::string_view key, const Eigen::Vector3d& absent);
Shape read_shape(const Entry& entry);  ///< of one that is no compound
Parts read_parts(const Entry& shape);  ///< of any shape, in its frame
/// The points whose hull a convex shape is, from its table or its file.
std::vector<Eigen::Vector3d> convex_vertices(const Fields& fields);
Groups read_groups(const Fields& fields);                              ///< of the keys `groups` and `avoid`
std::optional<DrivenMotion> read_driven_motion(const Fields& fields);  ///< of the key `motion`
Eigen::Quaterniond read_orientation(const Fields& fields);             ///< of the key `orientation`
/// The homogeneous body of `name`, `shape` and one of `mass` and `density`, which the parts of a compound may say
/// instead.
FramedBody read_framed_body(const Fields& fields);
/// Gives a body an inertia of three principal moments or a whole tensor.
void read_inertia(const Entry& entry, Body& body);
/// A [[body]] without its material, and the motion of its centre of mass, which is at `centre` in the frame that the
/// file may speak of.
FramedBody read_body(const Fields& fields);
BodyState read_motion(const Fields& fields, const Eigen::Vector3d& centre);
/// A [[plane]] and an [[obstacle]] without their material, a [[load]] without its body.
Obstacle read_plane(const Fields& fields);
Pose read_pose_of_plane(const Fields& fields);
Obstacle read_obstacle(const Fields& fields);
Load read_load(const Fields& fields);
/// [world].
void read_world(Reading& reading);
/// Throws where none or several of these keys are given (none only where `one_is_needed`); gives the one that is.
std::optional<Entry> one_of(const Fields& fields, std::initializer_list<std::string_view> keys, bool one_is_needed);

}  // namespace carom::scene
