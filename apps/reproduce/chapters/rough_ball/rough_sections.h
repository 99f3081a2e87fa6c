#pragma once
/// Sections of the chapters on the two papers of Treschev and Zubelevich that stand in files of their own.

#include "reproduce/chapters/chapter.h"

namespace carom::reproduce {

/// Lemma 1 and the matrices P, printed and corrected.
Section nonholonomic_projectors();
/// (2.10), (2.11), (2.13) on random systems.
Section nonholonomic_collision_equations();

/// Theorem 4.2: how a motion through impacts depends on its data.
Section weak_continuity();
/// Theorem 5.1, its matrix, and what the hypotheses of Garwin leave open.
Section weak_superelastic_ball();
/// The pendulum, and the superball under a table.
Section weak_superball_motions();
/// The remark on inelastic collisions.
Section weak_inelastic();

}  // namespace carom::reproduce
