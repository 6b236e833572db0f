//! A checksummed, atomically written, memory-mapped file container.
