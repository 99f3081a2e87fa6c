#pragma once
/// The parts of the chapter on ellipsoids and planes, each in the file that its line names.

#include <vector>

#include "reproduce/chapters/chapter.h"

namespace carom::reproduce {

/// Contact points on horizontal, oblique and two planes. (ellipsoid_contact_points.cpp)
Section ellipsoid_contact_section();
/// The paper's rule for several planes beside coupled laws. (ellipsoid_laws.cpp)
Section ellipsoid_law_section(const Announce& announce);
/// Where that rule fails, and by how much. (ellipsoid_failures.cpp)
Section ellipsoid_failure_section(const Announce& announce);
/// With how many planes at once? (ellipsoid_question.cpp)
Section ellipsoid_question_section(const Announce& announce);

/// The laws over restitution and over attitude. (ellipsoid_pictures.cpp)
std::vector<Figure> ellipsoid_law_figures();
/// Energy created by the paper's rule over angle and restitution; where it fails over attitude and angle.
std::vector<MapFigure> ellipsoid_law_maps();
/// One impact on ever more planes.
Figure ellipsoid_many_planes_figure();

}  // namespace carom::reproduce
