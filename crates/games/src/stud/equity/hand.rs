//! What is known of a hand, and how it is written.

use crate::stud::StudError;
use doorcard_cards::{Card, CardSet, ParseCardError};
use std::fmt;
use std::str::FromStr;

/// The known cards of one player, up to seven of them; the others are dealt at random.
///
/// Written as hidden cards, a slash and up cards (`AsAd/Kc9h`), with `??` for an unknown card, or as cards alone
/// (`2s2h2d`). Unknown cards need not be written: every hand is completed to seven cards. `??` is a hand of which
/// nothing is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HandSpec {
    known: CardSet,
}

impl HandSpec {
    /// A hand of which these cards are known.
    ///
    /// # Errors
    /// If there are more than seven cards.
    pub fn new(known: CardSet) -> Result<HandSpec, StudError> {
        match known.len() {
            0..=7 => Ok(HandSpec { known }),
            len => Err(StudError::Hand {
                hand: known.to_string(),
                fault: format!("{len} known cards, not up to 7"),
            }),
        }
    }

    /// The known cards.
    pub fn known(&self) -> CardSet {
        self.known
    }

    /// How many cards are unknown or still to come.
    pub fn missing(&self) -> usize {
        7 - self.known.len()
    }
}

impl FromStr for HandSpec {
    type Err = StudError;

    fn from_str(text: &str) -> Result<HandSpec, StudError> {
        let error = |fault: String| StudError::Hand { hand: text.chars().take(40).collect(), fault };
        let mut parts = text.split('/');
        let first = cards(parts.next().unwrap_or("")).map_err(error)?;
        let mut all = first.clone();
        if let Some(up) = parts.next() {
            let up = cards(up).map_err(error)?;
            if first.len() > 3 {
                return Err(error(format!("{} hidden cards, not up to 3", first.len())));
            }
            if up.len() > 4 {
                return Err(error(format!("{} up cards, not up to 4", up.len())));
            }
            all.extend(up);
        }
        if parts.next().is_some() {
            return Err(error("more than one slash".into()));
        }
        if all.len() > 7 {
            return Err(error(format!("{} cards, not up to 7", all.len())));
        }
        if all.is_empty() {
            return Err(error("no card, not even ??".into()));
        }
        let mut known = CardSet::EMPTY;
        for card in all.into_iter().flatten() {
            if known.contains(card) {
                return Err(error(format!("{card} stands twice")));
            }
            known = known.with(card);
        }
        Ok(HandSpec { known })
    }
}

/// Cards one after the other, `None` for unknown ones.
fn cards(text: &str) -> Result<Vec<Option<Card>>, String> {
    let letters: Vec<char> = text.chars().filter(|letter| !letter.is_whitespace()).collect();
    let card = |pair: &[char]| match pair {
        ['?', '?'] => Ok(None),
        _ => pair.iter().collect::<String>().parse().map(Some),
    };
    letters.chunks(2).map(|pair| card(pair).map_err(|error: ParseCardError| error.to_string())).collect()
}

impl fmt::Display for HandSpec {
    /// The known cards, or `??`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.known.is_empty() {
            return f.pad("??");
        }
        fmt::Display::fmt(&self.known, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hands_are_read() {
        for (text, known) in [
            ("AsAd/Kc9h", "9hKcAdAs"),
            ("2s2h2d", "2d2h2s"),
            ("??/7h7c", "7c7h"),
            ("?? As / 7h", "7hAs"),
            ("/7h7c", "7c7h"),
            ("??", "??"),
            ("?? ?? / ??", "??"),
            ("AsAdAh/2c3c4c5c", "2c3c4c5cAdAhAs"),
        ] {
            assert_eq!(text.parse::<HandSpec>().unwrap().to_string(), known, "{text}");
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, fault) in [
            ("", "no card"),
            (" / ", "no card"),
            ("AsAd/Kc/9h", "more than one slash"),
            ("AsAdAhAc/Kc", "4 hidden cards"),
            ("As/KcKdKhKsQc", "5 up cards"),
            ("AsAdAhAcKcKdKhKs", "8 cards"),
            ("AsAd/As", "As stands twice"),
            ("AsAx", "'Ax' is not a card"),
            ("As?", "'?' is not a card"),
            ("é日本", "'é日' is not a card"),
        ] {
            let message = text.parse::<HandSpec>().unwrap_err().to_string();
            assert!(message.contains(fault) && message.contains("expected"), "{text}: {message}");
        }
    }
}
