//! Shared inputs of the benchmarks; each hot path has its own file beside this one.
