#pragma once
/// The library: everything that a program needs to build, run, watch and question scenes and single impacts.
///
///   Scene              what there is and how it is to be run; from a file or built in code
///   Simulation         a scene that runs
///   Record             what a run has left in a file
///   ImpactProblem      one impact with the configuration frozen; ImpactSolver puts it through a law,
///                      ImpactBatchSolver many of one shape
///   Sweep              a scene or an impact problem at many values
///   LagrangianEngine   the same for a system of one's own
/// docs/library.md
///
/// Only what this header includes is installed, so only that can be relied on.

#include "carom/analysis/sweep/sweep.h"
#include "carom/base/diagnostic.h"
#include "carom/base/error.h"
#include "carom/base/version.h"
#include "carom/engine/lagrangian/lagrangian_engine.h"
#include "carom/laws/impact/impact_batch.h"
#include "carom/laws/impact/impact_solver.h"
#include "carom/scene/scene.h"
#include "carom/simulation/record.h"
#include "carom/simulation/simulation.h"
