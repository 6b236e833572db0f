//! Counterfactual regret minimisation: tables, external sampling, trainer, checkpoints.
