//! Baseline stud players and the player of a trained strategy.
