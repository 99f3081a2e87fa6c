#pragma once
/// How plain values that engines keep go into an archive (base/archive.h) and come back: states, loads, energies,
/// results, contacts.
///
/// Each function names all members of its type, so that one more member does not compile until it is dealt with here.

#include <memory>

#include "carom/base/archive.h"
#include "carom/contact/contact_point.h"
#include "carom/mechanics/model.h"
#include "carom/mechanics/script_progress.h"
#include "carom/mechanics/state.h"
#include "carom/record/run_result.h"

namespace carom {

void transfer(Archive& archive, BodyState& state);
void transfer(Archive& archive, JointLoad& load);
void transfer(Archive& archive, ContactLoad& load);
void transfer(Archive& archive, State& state);
void transfer(Archive& archive, Energy& energy);
void transfer(Archive& archive, EnergyBook& book);
void transfer(Archive& archive, Flags& flags);
void transfer(Archive& archive, LimitIndex& limit);
void transfer(Archive& archive, Coulomb& friction);
void transfer(Archive& archive, TurningResistance& resistance);
void transfer(Archive& archive, PowerRestitution& law);
void transfer(Archive& archive, RestitutionTable& law);
void transfer(Archive& archive, Restitution& restitution);
void transfer(Archive& archive, PairRule& rule);
void transfer(Archive& archive, Failure& failure);
void transfer(Archive& archive, Collapse& collapse);
void transfer(Archive& archive, CompliantReport& report);
void transfer(Archive& archive, CompliantReport::Swallowed& swallowed);
void transfer(Archive& archive, CompliantReport::LawWork& work);
void transfer(Archive& archive, RunResult& result);
void transfer(Archive& archive, ReleaseJoint& release);
void transfer(Archive& archive, SwitchMotor& change);
void transfer(Archive& archive, ScriptChange& change);
void transfer(Archive& archive, ScriptProgress& progress);

/// What its script has made of a model. While reading, `model` is that of the scene before and the changed one after.
void transfer_changes(Archive& archive, std::shared_ptr<const Model>& model);

namespace contact {

void transfer(Archive& archive, ContactPoint& contact);
void transfer(Archive& archive, PointOnFace& feature);
void transfer(Archive& archive, FaceOnPoint& feature);
void transfer(Archive& archive, EdgeOnEdge& feature);
void transfer(Archive& archive, RimOnFace& feature);
void transfer(Archive& archive, Ball& ball);
void transfer(Archive& archive, BallOnFace& feature);
void transfer(Archive& archive, BallOnLine& feature);
void transfer(Archive& archive, BallOnVertex& feature);
void transfer(Archive& archive, BallOnRim& feature);
void transfer(Archive& archive, BallInHollow& feature);
void transfer(Archive& archive, RimInHollow& feature);
void transfer(Archive& archive, Circle& circle);
void transfer(Archive& archive, Line& line);
void transfer(Archive& archive, RimOnLine& feature);
void transfer(Archive& archive, RimOnRim& feature);

}  // namespace contact

}  // namespace carom
