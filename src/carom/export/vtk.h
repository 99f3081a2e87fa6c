#pragma once
/// A record as a series of VTK files (XML PolyData, binary) in a folder, for ParaView and others:
///
///   run.pvd                 the collection: what to open
///   bodies_000000.vtp       the bodies' surfaces in the world, per frame; cells know body, velocity, angular_velocity,
///                           speed
///   points_000000.vtp       their centres: body, velocity, angular_velocity, speed, orientation (w, x, y, z), radius;
///                           field data `names`
///   contacts_000000.vtp     contact points of the events since the frame before: impulse, impulse_vector (on a),
///   normal
///                           (from b to a), time, event, a, b
///   obstacles.vtp           planes and obstacles at rest; cells know object
///   driven_000000.vtp       those that move, per frame
///
/// A frame is a sample. The files are the parts 0 to 4 of the collection, in this order. Planes are shown as squares
/// about the region in which bodies move. Round surfaces are polyhedra whose corners lie on them: 24 × 12
/// quadrilaterals for a sphere, down to 8 × 4 where there are more than 10 000 bodies. Positions of points are 64-bit,
/// of surfaces 32-bit.

#include <string>

#include "carom/analysis/sample_choice.h"
#include "carom/export/export_report.h"
#include "carom/record/record_reader.h"
#include "carom/scene/scene_file.h"

namespace carom {

/// Makes the folder where there is none. Each file appears when it is whole, `run.pvd` last; files of these names that
/// an earlier export left are replaced or removed, others left alone. Throws InputError (file).
ExportReport export_vtk(RecordReader& record, const scene::SceneFile& scene, const std::string& folder,
                        const SampleChoice& choice = {}, const ExportProgress& progress = {});

}  // namespace carom
