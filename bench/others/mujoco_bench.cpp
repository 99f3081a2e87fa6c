/// The gas of spheres in MuJoCo: its soft contacts as undamped springs of 10⁵ s⁻² (it knows no restitution),
/// semi-implicit Euler steps, solver CG with at most 50 iterations, no friction.

#include <mujoco/mujoco.h>

#include <memory>
#include <stdexcept>
#include <string>

#include "others/gas_run.h"

namespace {

class MujocoWorld {
 public:
  static constexpr double kLongest = 0.5;  ///< [s] of the gas

  MujocoWorld(const std::vector<carom::bench::GasBall>& balls, double gravity) {
    std::string text = fmt::format(
        "<mujoco><size njmax='8000' nconmax='8000'/>"
        "<option timestep='{}' gravity='0 0 {}' integrator='Euler' solver='CG' iterations='50' jacobian='sparse'/>"
        "<default><geom solref='-1e5 0' solimp='0.9999 0.9999 0.001' condim='1'/></default><worldbody>",
        carom::bench::kStep, -gravity);
    for (int axis = 0; axis < 3; ++axis)
      for (const int side : {1, -1}) {
        const auto at = [axis](int k, int value) { return k == axis ? value : 0; };
        text += fmt::format("<geom type='plane' size='5 5 1' pos='{} {} {}' zaxis='{} {} {}'/>", at(0, side < 0),
                            at(1, side < 0), at(2, side < 0), at(0, side), at(1, side), at(2, side));
      }
    for (const carom::bench::GasBall& ball : balls) {
      text += fmt::format("<body pos='{} {} {}'><freejoint/><geom type='sphere' size='{}' mass='{}'/></body>",
                          ball.position.x(), ball.position.y(), ball.position.z(), ball.radius, ball.mass);
    }
    text += "</worldbody></mujoco>";
    load(text);
    for (std::size_t i = 0; i < balls.size(); ++i)
      for (int k = 0; k < 3; ++k) data_->qvel[6 * i + static_cast<std::size_t>(k)] = balls[i].velocity[k];
  }

  void step(double /*dt*/) { mj_step(model_.get(), data_.get()); }

  void ball(std::size_t i, Eigen::Vector3d& position, Eigen::Vector3d& velocity) const {
    position = Eigen::Map<const Eigen::Vector3d>(data_->qpos + 7 * i);
    velocity = Eigen::Map<const Eigen::Vector3d>(data_->qvel + 6 * i);
  }

 private:
  void load(const std::string& text) {
    const auto files = std::make_unique<mjVFS>();
    mj_defaultVFS(files.get());
    mj_makeEmptyFileVFS(files.get(), "gas.xml", static_cast<int>(text.size()));
    text.copy(static_cast<char*>(files->filedata[0]), text.size());
    char complaint[1000] = "";
    model_.reset(mj_loadXML("gas.xml", files.get(), complaint, sizeof complaint));
    mj_deleteVFS(files.get());
    if (!model_) throw std::runtime_error(complaint);
    data_.reset(mj_makeData(model_.get()));
  }

  struct Delete {
    void operator()(mjModel* model) const { mj_deleteModel(model); }
    void operator()(mjData* data) const { mj_deleteData(data); }
  };
  std::unique_ptr<mjModel, Delete> model_;
  std::unique_ptr<mjData, Delete> data_;
};

}  // namespace

int main(int count, char** words) {
  carom::bench::run_gas<MujocoWorld>("mujoco", count, words);
  return 0;
}
