//! What a position is worth: a guess, fitted before the match and frozen.
//!
//! Whatever it is, AIVAT stays unbiased; a better one leaves less variance. This one is linear in what the ranges win of
//! each other at a showdown, so that its mean over the cards to come is known, and in who bet last, since who is called
//! seldom wins by folds what equity does not tell.

use doorcard_games::stud::Street;
use nalgebra::{SMatrix, SVector};

/// Numbers that a position is valued by.
pub(super) const FEATURES: usize = 2;

type Vector = SVector<f64, FEATURES>;

/// A position before the hand is over, from seat 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Standing {
    /// The betting round, that to come if only its cards are missing.
    pub(super) street: Street,
    /// What each will have put in if both check and call to the end. Units: chips.
    pub(super) paid: f64,
    /// The mean over both ranges of twice seat 0's share at a showdown, less one.
    pub(super) margin: f64,
    /// 1 if seat 0 was the last to bet or raise, -1 if seat 1 was, 0 if nobody has.
    pub(super) aggressor: f64,
}

impl Standing {
    fn features(&self) -> Vector {
        let Standing { paid, margin, aggressor, .. } = *self;
        Vector::from([paid * margin, paid * aggressor])
    }
}

/// The value function. Shape: `[street][feature]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Values([Vector; 5]);

impl Values {
    /// What is in the pot if both check and call to the end goes to who shows the better hand.
    pub fn check_down() -> Values {
        Values([Vector::from([1.0, 0.0]); 5])
    }

    /// Any function. Shape: `[street][feature]`.
    #[cfg(test)]
    pub(super) fn any(coefficients: [[f64; FEATURES]; 5]) -> Values {
        Values(coefficients.map(Vector::from))
    }

    /// What a position is worth to seat 0. Units: chips.
    pub(super) fn of(&self, standing: &Standing) -> f64 {
        self.0[standing.street.index()].dot(&standing.features())
    }
}

/// As many positions of the usual size as [`Values::check_down`] has a say for: hands are noisy.
const PRIOR: f64 = 200.0;

/// Fits a value function to what positions came to, by least squares street by street.
#[derive(Default)]
pub struct Fit([Sums; 5]);

#[derive(Clone, Copy, Default)]
struct Sums {
    positions: f64,
    squares: SMatrix<f64, FEATURES, FEATURES>,
    products: Vector,
}

impl Fit {
    /// A position that came to `won` for seat 0. Units: chips.
    pub(super) fn add(&mut self, standing: &Standing, won: f64) {
        let features = standing.features();
        let sums = &mut self.0[standing.street.index()];
        sums.positions += 1.0;
        sums.squares += features * features.transpose();
        sums.products += features * won;
    }

    /// Adds all that another fit was made of.
    pub fn merge(&mut self, other: &Fit) {
        for (sums, other) in self.0.iter_mut().zip(&other.0) {
            sums.positions += other.positions;
            sums.squares += other.squares;
            sums.products += other.products;
        }
    }

    /// The function that fits best, drawn towards [`Values::check_down`] as if that had been seen so often.
    pub fn values(&self) -> Values {
        let mut values = Values::check_down();
        for (sums, values) in self.0.iter().zip(&mut values.0) {
            let prior =
                SMatrix::from_diagonal(&(sums.squares.diagonal() * (PRIOR / sums.positions.max(1.0))));
            if let Some(decomposed) = (sums.squares + prior).cholesky() {
                *values = decomposed.solve(&(sums.products + prior * *values));
            }
        }
        values
    }
}
