//! TensorBoard scalars, tables, plots and the HTML report of a run.
