//! What can go wrong in an evaluation.

/// Why an evaluation could not be made.
#[derive(Debug, thiserror::Error)]
pub enum EvalError {
    /// A table with a number of agents that the game has no seats for.
    #[error("table {table} seats {found} agents, but the game has {expected} seats")]
    Seats {
        /// The table's place in the schedule.
        table: usize,
        /// How many seats the game has.
        expected: usize,
        /// How many agents the table names.
        found: usize,
    },
    /// A table that names an agent that was not handed over.
    #[error("table {table} names agent {agent}, but there are {agents} agents, numbered from 0")]
    UnknownAgent {
        /// The table's place in the schedule.
        table: usize,
        /// The number named.
        agent: usize,
        /// How many agents there are.
        agents: usize,
    },
    /// The threads asked for could not be started.
    #[error("cannot start {threads} threads")]
    Threads {
        /// How many.
        threads: usize,
        /// What the operating system or rayon says.
        source: rayon::ThreadPoolBuildError,
    },
}
