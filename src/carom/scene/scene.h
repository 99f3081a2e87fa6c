#pragma once
/// A scene: what there is, how it moves at the start, and how to run it. docs/scene-file.md
///
/// It is read from a file or from text, or built with the same words as the file, and may be changed at any time:
///
///     Scene scene;
///     scene.set("world.gravity", {0, 0, -9.81});
///     scene.set("run.duration", 10.0);
///     scene.add_material({{"name", "rubber"}});
///     scene.add_pair({{"materials", {"rubber", "rubber"}}, {"restitution", 0.9}});
///     scene.add_body({{"name", "ball"}, {"shape", {{"kind", "sphere"}, {"radius", 0.1}}}, {"mass", 1.0},
///                     {"material", "rubber"}, {"position", {0, 0, 1.1}}});
///     scene.add_plane({{"name", "floor"}, {"normal", {0, 0, 1}}, {"material", "rubber"}});
///     for (const InputError& complaint : scene.check()) std::cerr << format_diagnostic(complaint);
///     scene.save("ball.toml");
///
/// Nothing is checked when it is set: a scene may be wrong on its way to being right. check() says everything that is
/// wrong with it, build() throws the first of that. All errors are InputError; those about values that come from a file
/// point into it, those about values that a program has set name their field.
///
/// A scene is a plain value; a copy is independent.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "carom/base/error.h"
#include "carom/scene/value.h"

namespace carom {

namespace scene {
struct Document;
struct SceneFile;
}  // namespace scene

class Scene {
 public:
  /// Says nothing but `format = 1`.
  Scene();
  /// Reads a TOML file; "-" reads standard input. Throws for files that cannot be read and for bad syntax.
  static Scene read(const std::string& path);
  /// The same from text; `name` stands for the file in messages.
  static Scene parse(std::string text, std::string name = "scene");

  /// Of a document that has been read (scene/document/read_document.h).
  explicit Scene(scene::Document document);

  Scene(const Scene& other);
  Scene(Scene&& other) noexcept;
  Scene& operator=(const Scene& other);
  Scene& operator=(Scene&& other) noexcept;
  ~Scene();

  /// Sets the value at a path such as `run.law`, `world.gravity.2`, `body.egg.velocity` or `pair.0.restitution`: a key
  /// that the scene has or leaves out, found by name or index where there are several. None removes it. Throws `usage`
  /// where the path leads nowhere, and then leaves the scene as it was.
  void set(std::string_view path, const Value& value);
  /// The same as the command line has it: `run.law=newton`. The value is TOML, and a bare word a string.
  void set(std::string_view setting);
  /// The value at a path; none where the scene leaves it out. Throws `usage` where the path leads nowhere.
  [[nodiscard]] Value get(std::string_view path) const;

  /// The file it was read from, or the name it was given; empty for one that was built in code.
  [[nodiscard]] std::string name() const;

  /// Adds an entry to a section that can have several, [[section]]. Throws `unknown_name` where there is none such.
  void add(std::string_view section, const Table& entry);
  void add_material(const Table& entry) { add("material", entry); }
  void add_pair(const Table& entry) { add("pair", entry); }
  void add_body(const Table& entry) { add("body", entry); }
  void add_plane(const Table& entry) { add("plane", entry); }
  void add_obstacle(const Table& entry) { add("obstacle", entry); }
  void add_constraint(const Table& entry) { add("constraint", entry); }
  void add_joint(const Table& entry) { add("joint", entry); }
  void add_when(const Table& entry) { add("when", entry); }
  void add_spring(const Table& entry) { add("spring", entry); }
  void add_load(const Table& entry) { add("load", entry); }
  void add_fill(const Table& entry) { add("fill", entry); }
  void add_rack(const Table& entry) { add("rack", entry); }
  void add_cradle(const Table& entry) { add("cradle", entry); }
  void add_shot(const Table& entry) { add("shot", entry); }
  void add_pocket(const Table& entry) { add("pocket", entry); }
  void add_dent(const Table& entry) { add("dent", entry); }

  /// Everything that is wrong with the scene: what a file says in the order of its lines, then what a program has set.
  /// Empty where the scene can be run. What depends on something that is wrong is not judged, so a scene that was
  /// mended may have more to complain about; no more than a hundred complaints are made at once.
  [[nodiscard]] std::vector<InputError> check() const;

  /// The scene as TOML in its canonical form: sections and keys in the order of the format. It reads to the same scene;
  /// comments are lost.
  [[nodiscard]] std::string to_toml() const;
  /// Writes that to a file. Throws `file` where it cannot.
  void save(const std::string& path) const;

  /// What a record keeps of a scene, such that `parse(text())` and `set` with each of `settings()` give the same: the
  /// file as it was read and the settings in the manner of the command line, or, once a program has changed more than
  /// that, to_toml() and none. Where the scene refers to other files it is to_toml() with their rows in it.
  [[nodiscard]] std::string text() const;
  [[nodiscard]] std::vector<std::string> settings() const;

  /// The model, its state at the start and the options of the run (scene/scene_contents.h). Throws the first complaint.
  [[nodiscard]] scene::SceneFile build() const;

  /// An error about the model, which names a field such as `body.egg.position`, with its place in the file.
  [[nodiscard]] InputError with_place(const InputError& error) const;

 private:
  struct Content;
  std::unique_ptr<Content> content_;
};

}  // namespace carom
