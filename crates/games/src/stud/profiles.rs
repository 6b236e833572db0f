//! The rule profiles shipped in `configs/games`, compiled into the library.

use super::{Rules, StudError};

/// Names and texts of the shipped profiles.
pub const PROFILES: [(&str, &str); 16] = [
    ("stud_high", include_str!("../../../../configs/games/stud_high.toml")),
    ("stud_high_ante_bring_in", include_str!("../../../../configs/games/stud_high_ante_bring_in.toml")),
    ("stud_hilo_double", include_str!("../../../../configs/games/stud_hilo_double.toml")),
    ("stud_hilo8", include_str!("../../../../configs/games/stud_hilo8.toml")),
    ("stud_hilo8_pot_limit", include_str!("../../../../configs/games/stud_hilo8_pot_limit.toml")),
    ("stud_hilo8_no_limit", include_str!("../../../../configs/games/stud_hilo8_no_limit.toml")),
    ("razz", include_str!("../../../../configs/games/razz.toml")),
    ("stud_bench", include_str!("../../../../configs/games/stud_bench.toml")),
    ("stud_bench_nodouble", include_str!("../../../../configs/games/stud_bench_nodouble.toml")),
    ("mini_high", include_str!("../../../../configs/games/mini_high.toml")),
    ("mini_hilo", include_str!("../../../../configs/games/mini_hilo.toml")),
    ("mini_river", include_str!("../../../../configs/games/mini_river.toml")),
    ("mini_three", include_str!("../../../../configs/games/mini_three.toml")),
    ("mini_nine", include_str!("../../../../configs/games/mini_nine.toml")),
    ("mini_razz", include_str!("../../../../configs/games/mini_razz.toml")),
    ("mini_high_3", include_str!("../../../../configs/games/mini_high_3.toml")),
];

impl Rules {
    /// A shipped profile by name; `stud-bench` and `stud_bench` are the same.
    ///
    /// # Errors
    /// If there is no such profile; the message lists those there are.
    pub fn named(name: &str) -> Result<Rules, StudError> {
        let wanted = name.replace('-', "_");
        let found = PROFILES.iter().find(|(known, _)| *known == wanted);
        let (known, text) = found.ok_or_else(|| StudError::UnknownRules {
            name: name.chars().take(80).collect(),
            known: PROFILES.map(|(known, _)| known).join(", "),
        })?;
        Rules::from_toml(text, known)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stud::{Betting, DoubleBet, Muck, Street, Variant};

    #[test]
    fn every_profile_is_valid() {
        for (name, _) in PROFILES {
            let rules = Rules::named(name).unwrap();
            assert_eq!(Rules::from_toml(&rules.to_toml(), name).unwrap(), rules, "{name}");
            assert_eq!(Rules::named(&name.replace('_', "-")).unwrap(), rules);
        }
        let error = Rules::named("holdem").unwrap_err().to_string();
        assert!(error.contains("'holdem'") && error.contains("stud_bench_nodouble"), "{error}");
    }

    #[test]
    fn the_benchmark_has_its_stakes() {
        let rules = Rules::named("stud-bench").unwrap();
        let stakes = (rules.ante(), rules.bring_in(), rules.small_bet(), rules.big_bet(), rules.bet_cap());
        assert_eq!(stakes, (25, 50, 100, 200, Some(4)));
        assert_eq!((rules.double_bet(), rules.seats()), (DoubleBet::AnyPlayer, 2));
        assert_eq!(Rules::named("stud-bench-nodouble").unwrap().double_bet(), DoubleBet::Off);
        // Ante, four small bets, and four big bets on each of the other streets.
        assert!(rules.stack() > 25 + 4 * 100 + 4 * 4 * 200);
    }

    #[test]
    fn profiles_follow_their_sources() {
        let rules = |name| Rules::named(name).unwrap();
        assert_eq!(rules("stud_high").bring_in() * 2, rules("stud_high").small_bet());
        assert_eq!(rules("stud_high").double_bet(), DoubleBet::AnyPlayer);
        let ante = rules("stud_high_ante_bring_in");
        assert_eq!(
            (ante.bring_in(), ante.big_bet(), ante.muck()),
            (ante.ante(), 10 * ante.ante(), Muck::Never)
        );
        assert_eq!(rules("stud_hilo_double").double_bet(), DoubleBet::PairHolder);
        assert_eq!(rules("stud_hilo_double").variant(), Variant::HiLo8);
        assert_eq!(rules("stud_hilo8").double_bet(), DoubleBet::Off);
        let pot_limit = rules("stud_hilo8_pot_limit");
        assert_eq!((pot_limit.betting(), pot_limit.bet_cap()), (Betting::PotLimit, None));
        assert_eq!(pot_limit.bet_size(Street::Seventh), pot_limit.small_bet());
        assert_eq!(rules("stud_hilo8_no_limit").betting(), Betting::NoLimit);
        assert_eq!(rules("razz").variant(), Variant::Razz);
    }
}
