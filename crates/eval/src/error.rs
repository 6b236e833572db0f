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
    /// A player reaches one row after different rows or actions of its own.
    #[error(
        "the infosets forget: the row at slot {slot} is reached after different rows or actions of the same player, \
         so that no best response can be found by backward induction"
    )]
    ImperfectRecall {
        /// The row's first slot.
        slot: u64,
    },
    /// A strategy's row is no probability distribution.
    #[error("the strategy's row at slot {slot} is no probability distribution: {probabilities:?}")]
    NotADistribution {
        /// The row's first slot.
        slot: u64,
        /// What the strategy says.
        probabilities: Vec<f64>,
    },
    /// A strategy's layout tells apart what the game's own infosets do not.
    #[error(
        "the layout of the strategy is no abstraction of the other: the infoset at slot {slot} of the finer layout \
         lies in two of its rows"
    )]
    NotAnAbstraction {
        /// The first slot of the infoset that is split.
        slot: u64,
    },
}
