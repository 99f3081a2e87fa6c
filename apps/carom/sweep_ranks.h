#pragma once
/// `mpirun -n N carom sweep …`: a sweep by N programs that share a folder.
///
/// Ranks do not talk to each other. The sweep is cut into parts, each a shard with a table and a journal of its own in
/// the folder `TABLE.parts`; a rank takes a part that nobody holds (the lock on its journal says so), and when all are
/// done one of them merges them. So a rank that dies costs the points that it was at: its lock goes with it, and the
/// part is taken by another one. mpirun ends all ranks when one of the programs that it has started dies; therefore
/// that program only watches over a second one, which does the work and is started again where it dies.

#include <string>

#include "carom/analysis/sweep/run_sweep.h"

namespace carom::app {

/// Whether mpirun, or another starter of ranks, has started several of us.
bool is_one_of_several_ranks();
bool is_first_rank();

/// Returns in the program that does the work; the one that watches over it ends with its exit code.
void become_rank();

struct RanksOutcome {
  bool complete = false;
  std::size_t before = 0;  ///< points that were there already
  std::size_t done = 0;    ///< points of parts that are whole
  std::size_t rows = 0;
};

/// Runs parts until all are done, by whichever rank, and the table is there. Throws InputError.
RanksOutcome run_by_ranks(const Sweep& sweep, const sweep::SweepRun& run, const std::string& path);

}  // namespace carom::app
