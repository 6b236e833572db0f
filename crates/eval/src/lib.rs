//! Best response, matches and their statistics.
