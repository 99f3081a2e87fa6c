/// Synchronous contact by smooth methods [Gismeros Moreno 2021]: force laws, the bouncing ball, the ball bearing, the
/// pool table and Newton's cradle.
///
/// The paper integrates everything by programs for smooth differential equations, which know nothing of contacts. The
/// engine does the same with `event_location = false` (a contact is noticed when a step ends in one, tolerances are
/// relative to coordinates); what it does otherwise stands beside it. docs/theory/compliant-contact.md

#include "reproduce/chapters/papers.h"
#include "reproduce/chapters/smooth_contact/parts.h"

namespace carom::reproduce {

Chapter smooth_contact(const Announce& announce) {
  Chapter chapter{.id = "smooth-contact",
                  .title = "Synchronous contact/impact events modelling with a smooth-based approach",
                  .citation =
                      "R. Gismeros Moreno, E. Corral Abad, J. Meneses Alonso, M. J. Gómez García and "
                      "C. Castejón Sisamón, ECCOMAS Thematic Conference on Multibody Dynamics, Budapest, 2021, "
                      "doi:10.3311/ECCOMASMBD2021-114",
                  .sections = {}};
  const smooth::Cases cases;
  announce("force laws");
  chapter.sections.push_back(smooth::contact_forces());
  announce("bouncing ball under both integrators");
  chapter.sections.push_back(smooth::bouncing_ball(cases));
  announce("ball bearing, healthy and with dents");
  chapter.sections.push_back(smooth::ball_bearing(cases));
  announce("pool rack with many gaps");
  chapter.sections.push_back(smooth::pool_table(cases));
  announce("Newton's cradle with each constraint method");
  chapter.sections.push_back(smooth::newtons_cradle(cases));
  return chapter;
}

}  // namespace carom::reproduce
