//! What training would gain from more threads than there are, on paper: from the times of single boards.
//!
//! A batch of boards is walked by threads that each take the next board when they are done with one, and ends with the
//! last of them. What is counted is that wait alone, not what threads cost each other in memory and caches, so that a
//! figure is an upper bound.

use serde::Serialize;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Threads that figures are worked out for.
const THREADS: [usize; 3] = [2, 16, 64];
/// Boards in a batch, as shipped experiments have it and larger ones.
const BATCHES: [usize; 3] = [32, 128, 512];

/// A figure on paper.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct OnPaper {
    pub(super) threads: usize,
    /// Boards.
    pub(super) batch: usize,
    /// How many times the work of one thread is done, at most.
    pub(super) speed_up: f64,
}

/// The speed-up of every number of threads and size of batch, from the times of boards in the order they were drawn.
pub(super) fn on_paper(times: &[f64]) -> Vec<OnPaper> {
    let pairs = THREADS.iter().flat_map(|&threads| BATCHES.map(|batch| (threads, batch)));
    pairs
        .map(|(threads, batch)| OnPaper { threads, batch, speed_up: speed_up(times, threads, batch) })
        .collect()
}

fn speed_up(times: &[f64], threads: usize, batch: usize) -> f64 {
    let batches: Vec<&[f64]> = times.chunks_exact(batch).collect();
    let work: f64 = batches.iter().flat_map(|batch| batch.iter()).sum();
    let took: f64 = batches.iter().map(|batch| makespan(batch, threads)).sum();
    work / took
}

/// When the last of the tasks is done, if each is begun by the first thread that is free.
fn makespan(tasks: &[f64], threads: usize) -> f64 {
    // Times are positive, and their bits then in the same order.
    let mut free: BinaryHeap<Reverse<u64>> = vec![Reverse(0.0f64.to_bits()); threads].into();
    for task in tasks {
        let Reverse(first) = free.pop().expect("threads");
        free.push(Reverse((f64::from_bits(first) + task).to_bits()));
    }
    free.into_iter().map(|Reverse(end)| f64::from_bits(end)).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_task_ends_a_batch() {
        assert_eq!(makespan(&[3.0, 1.0, 1.0, 1.0], 2), 3.0);
        assert_eq!(makespan(&[1.0, 1.0, 3.0], 2), 4.0);
        assert_eq!(makespan(&[1.0, 2.0], 8), 2.0);
        // Equal tasks that do not share out evenly: 32 for 24 threads take two rounds.
        assert_eq!(speed_up(&[1.0; 64], 24, 32), 16.0);
        assert_eq!(speed_up(&[1.0; 64], 16, 32), 16.0);
    }
}
