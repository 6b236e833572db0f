//! Which stud situations a strategy tells apart: features, buckets, files.
