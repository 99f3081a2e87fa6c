#pragma once
/// A record as tables of comma-separated values [RFC 4180], in a folder:
///
///   samples.csv   time, body, x, y, z, qw, qx, qy, qz, vx, vy, vz, wx, wy, wz            a row per sample and body
///   energy.csv    time and the parts of the energy (quantity.h)                          a row per sample
///   events.csv    event, time, kind, … , contact, a, b, point, normal, impulse, …        a row per event and contact
///   jumps.csv     event, body, velocities before and after                               a row per body that jumped
///   contact_forces.csv  time, a, b, point, normal, force, friction, couple, mode         a row per sample and contact
///                       that presses, where the record has them
/// and where there are joints, of what they do to the first of their bodies, at the anchor:
///   joint_loads.csv     time, joint, fx, fy, fz, cx, cy, cz   force and couple           a row per sample and joint
///   joint_impulses.csv  event, time, joint, fx, …             impulse, angular impulse   a row per impact and joint
///
/// Where velocities jump, samples.csv has two more rows for each body whose velocity does and energy.csv two more, with
/// the values before and after (sample_interval.h says how exact); energies only where the record's scene can be read,
/// their balance with the error of reading between samples.
/// Numbers read back to the same double; what is not finite is `nan`, `inf`, `-inf`. Names are in quotation marks
/// unless they are plain words. `event` counts from 0 over the whole record, also where the choice leaves events out.
/// Lines end with a line feed.

#include <string>

#include "carom/analysis/sample_choice.h"
#include "carom/export/export_report.h"
#include "carom/record/record_reader.h"

namespace carom {

/// Makes the folder where there is none. Files of these names are replaced when all are whole, others left alone.
/// Throws InputError (file).
ExportReport export_csv(RecordReader& record, const std::string& folder, const SampleChoice& choice = {},
                        const ExportProgress& progress = {});

/// A field of such a table.
std::string csv_field(const std::string& text);

}  // namespace carom
