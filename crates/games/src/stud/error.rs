//! What can be wrong with rules, hands and hand histories.

use super::{Action, Legal};
use doorcard_cards::Card;

/// A fault in what the caller or a file gave the stud engine.
#[derive(Debug, thiserror::Error)]
pub enum StudError {
    /// A file cannot be read.
    #[error("{path}: {source}")]
    Read {
        /// The file.
        path: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// A rules file is not TOML, has an unknown key or a value of the wrong kind.
    #[error("{origin}: {message}")]
    Syntax {
        /// The file or the name of the rules.
        origin: String,
        /// Line, what stands there, and what was expected.
        message: String,
    },
    /// A setting has an impossible value.
    #[error("{origin}: {field} = {value}: expected {expected}")]
    Setting {
        /// The file or the name of the rules.
        origin: String,
        /// The key.
        field: &'static str,
        /// Its value.
        value: String,
        /// What would have been possible.
        expected: String,
    },
    /// A part of a setting is impossible, whatever file it stands in.
    #[error("{field} = {value}: expected {expected}")]
    Value {
        /// The key.
        field: &'static str,
        /// Its value.
        value: String,
        /// What would have been possible.
        expected: String,
    },
    /// Something knows only the standard game.
    #[error("{what} knows only the standard game of 52 cards, seven to a hand: these rules have other {key}")]
    NotStandard {
        /// What refuses.
        what: &'static str,
        /// The first key of the rules that differs.
        key: &'static str,
    },
    /// The deck of a game other than the standard one cannot serve all players.
    #[error(
        "{players} players need {needed} cards, burnt ones included: expected no more than the {deck} of the deck"
    )]
    TooManyPlayers {
        /// How many players.
        players: usize,
        /// How many cards they need.
        needed: usize,
        /// How many there are.
        deck: usize,
    },
    /// A table whose deals cannot all be walked through.
    #[error("the cards can be dealt in more than {max} ways: expected a table small enough to walk through")]
    TooManyDeals {
        /// The most there may be.
        max: u64,
    },
    /// There are no rules of this name.
    #[error("no rules named '{name}': expected one of {known}, or the path of a .toml file")]
    UnknownRules {
        /// The name asked for.
        name: String,
        /// The names there are.
        known: String,
    },
    /// A hand needs two to eight players.
    #[error("{0} players: expected 2 to 8")]
    Players(usize),
    /// A starting stack is not positive, or too large to add up.
    #[error("seat {seat} starts with {chips} chips: expected 1 to {max}")]
    Stack {
        /// The seat.
        seat: usize,
        /// Its chips.
        chips: i64,
        /// The largest possible stack.
        max: i64,
    },
    /// The player to act may not do this.
    #[error("seat {seat} cannot {action}: legal are {legal}")]
    Illegal {
        /// Who is to act.
        seat: usize,
        /// What was tried.
        action: Action,
        /// What is legal.
        legal: Box<Legal>,
    },
    /// An action came although nobody is to act.
    #[error("nobody can {action} now: {expected}")]
    NobodyActs {
        /// What was tried.
        action: Action,
        /// What comes next.
        expected: String,
    },
    /// A card was dealt although none is due.
    #[error("no card is due ({card} given): {expected}")]
    NoCardDue {
        /// The card.
        card: Card,
        /// What comes next.
        expected: String,
    },
    /// A card cannot be dealt because it is in use.
    #[error("{card} cannot be dealt: it is {whereabouts}")]
    NotInDeck {
        /// The card.
        card: Card,
        /// Where it is.
        whereabouts: &'static str,
    },
    /// A recorded hand lacks something or has something impossible.
    #[error("{origin}: {field}: expected {expected}")]
    Record {
        /// The file, and the hand within it.
        origin: String,
        /// The field or entry.
        field: String,
        /// What was expected.
        expected: String,
    },
    /// A hand for the equity calculator is not one.
    #[error("hand '{hand}': {fault}: expected hidden/up cards such as AsAd/Kc9h, or ?? for an unknown card")]
    Hand {
        /// The text.
        hand: String,
        /// What is wrong with it.
        fault: String,
    },
    /// A card is in two places.
    #[error("{card} is in {first} and in {second}: expected different cards")]
    CardTwice {
        /// The card.
        card: Card,
        /// Where it stands.
        first: String,
        /// Where it stands again.
        second: String,
    },
    /// Hands cannot be completed, not even by sharing the last card.
    #[error("{left} cards are left to complete the hands: expected at least {needed}")]
    DeckTooSmall {
        /// How many cards are neither held nor dead.
        left: usize,
        /// How many it takes if the last card is shared.
        needed: usize,
    },
}

/// What is wrong with a TOML text, in one line: the number of the line, the line itself and the fault; for a table taken
/// out of its file, which has no lines, the key and the fault. A word that is not known comes with the nearest that is.
pub fn toml_fault(text: &str, error: &toml::de::Error) -> String {
    let one_line = |text: &str| text.trim().split('\n').collect::<Vec<_>>().join(", ");
    let fault = |text: &str| {
        let fault = one_line(text);
        let meant = nearest(&fault).map_or_else(String::new, |word| format!("; did you mean `{word}`?"));
        fault + &meant
    };
    let Some(span) = error.span() else {
        return fault(&error.to_string());
    };
    let start = text.floor_char_boundary(span.start);
    let number = text[..start].matches('\n').count() + 1;
    let line: String = text.lines().nth(number - 1).unwrap_or_default().trim().chars().take(80).collect();
    let place = if line.is_empty() { String::new() } else { format!(", '{line}'") };
    format!("line {number}{place}: {}", fault(error.message()))
}

/// Of a message such as "unknown field `sead`, expected one of `seed`, `game`", the expected word that is most like the
/// unknown one, if it is like it at all.
fn nearest(message: &str) -> Option<&str> {
    /// Jaro-Winkler similarity, from 0 to 1, below which two words are not taken for each other.
    const ALIKE: f64 = 0.8;
    let rest = message.split_once("unknown field `").or_else(|| message.split_once("unknown variant `"))?.1;
    let (unknown, expected) = rest.split_once("`, expected ")?;
    let words = expected.split('`').skip(1).step_by(2);
    let likeness = |word: &&str| strsim::jaro_winkler(unknown, word);
    let best = words.max_by(|a, b| likeness(a).total_cmp(&likeness(b)))?;
    (likeness(&best) >= ALIKE).then_some(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_word_is_told() {
        let known = "expected one of `seed`, `solver`, `iterations`, `checkpoint_every`";
        for (unknown, meant) in [
            ("sead", Some("seed")),
            ("itterations", Some("iterations")),
            ("checkpoint-every", Some("checkpoint_every")),
            ("wine", None),
        ] {
            assert_eq!(nearest(&format!("unknown field `{unknown}`, {known}")), meant, "{unknown}");
        }
        assert_eq!(nearest("unknown field `anti`, expected `ante`"), Some("ante"));
        assert_eq!(
            nearest("unknown variant `liner`, expected `linear` or `vanilla`, at `x`"),
            Some("linear")
        );
        assert_eq!(nearest("invalid type: string"), None);
    }
}
