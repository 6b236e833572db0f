//! The built abstraction and its look-ups.

use crate::against::Against;
use crate::board::{BoardReader, Shown, ThirdStreet};
use crate::private::{KmeansStreet, PercentileStreet, StreetBuckets};
use crate::public::PublicBuckets;
use crate::reader::{Reader, Showing};
use crate::situation::{BoardBuckets, BoardSituation, CardAbstraction, DealBuckets, Hidden, Situation};
use crate::{AbstractionConfig, AbstractionError};
use doorcard_cards::{Card, CardSet};
use doorcard_games::stud::{Rules, Street, Variant};

/// The private buckets of all streets.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Private {
    Percentile([PercentileStreet; 5]),
    Kmeans([KmeansStreet; 5]),
}

/// Calls `$body` with `$streets` bound to the streets of whichever family it is.
macro_rules! with_family {
    ($private:expr, $streets:ident => $body:expr) => {
        match $private {
            Private::Percentile($streets) => $body,
            Private::Kmeans($streets) => $body,
        }
    };
}

/// A card abstraction of heads-up stud: see the [crate's documentation](crate) for what its buckets are.
#[derive(Clone, Debug, PartialEq)]
pub struct Abstraction {
    pub(crate) config: AbstractionConfig,
    pub(crate) reader: Reader,
    /// Third to sixth street.
    pub(crate) public: [PublicBuckets; 4],
    /// The mean squared distance of a board to the centroid of its public bucket, third to sixth street.
    pub(crate) public_error: [f64; 4],
    pub(crate) private: Private,
    pub(crate) third: ThirdStreet,
    pub(crate) fingerprint: u64,
}

/// Seventh street shows what sixth does.
pub(crate) fn public_street(street: Street) -> usize {
    street.index().min(Street::Sixth.index())
}

fn check_up(street: Street, own_up: &[Card], opponent_up: &[Card]) -> (CardSet, CardSet) {
    let sets = (CardSet::from(own_up), CardSet::from(opponent_up));
    assert!(
        sets.0.len() == street.up_cards() && sets.1.len() == street.up_cards() && sets.0.is_disjoint(sets.1),
        "{street:?} street shows {} cards of each player, not {} and {}",
        street.up_cards(),
        sets.0,
        sets.1
    );
    sets
}

impl Abstraction {
    /// What it was built from.
    pub fn config(&self) -> &AbstractionConfig {
        &self.config
    }

    /// The game whose hands it values.
    pub fn variant(&self) -> Variant {
        self.reader.scale.variant
    }

    /// The mean squared distance of a board to the centroid of its public bucket on third to sixth street: what the
    /// public buckets lose.
    pub fn public_error(&self) -> [f64; 4] {
        self.public_error
    }

    /// Refuses rules that no abstraction can be built for: its tables are of seven cards of 52.
    ///
    /// # Errors
    /// If deck, streets or hands are not those of the standard game.
    pub fn supports(rules: &Rules) -> Result<(), AbstractionError> {
        Ok(rules.require_standard("a card abstraction")?)
    }

    /// Refuses rules of another game.
    ///
    /// # Errors
    /// If the rules' variant is not that of the abstraction, or as [`Abstraction::supports`].
    pub fn check(&self, rules: &Rules) -> Result<(), AbstractionError> {
        Abstraction::supports(rules)?;
        if self.variant() == rules.variant() {
            Ok(())
        } else {
            Err(AbstractionError::WrongVariant { found: self.variant(), expected: rules.variant() })
        }
    }

    /// Fills the table of third street from the rest.
    pub(crate) fn with_third_street(mut self) -> Abstraction {
        self.third = ThirdStreet::new(|own, opponent, from, buckets| {
            self.look_up_board(
                Street::Third,
                (CardSet::EMPTY.with(own), CardSet::EMPTY.with(opponent)),
                Hidden::Pairs { from },
                buckets,
            )
        });
        self
    }

    fn look_up_board(
        &self,
        street: Street,
        (own_up, opponent_up): (CardSet, CardSet),
        hidden: Hidden,
        private: &mut [u16],
    ) -> u16 {
        let mut showing = [Showing::new(), Showing::new()];
        let public = self.public(street, (own_up, opponent_up), &mut showing);
        with_family!(&self.private, streets => {
            let shown = Shown { own: own_up, opponent: opponent_up };
            self.hands(&streets[street.index()], public, shown, hidden, &showing[1], private);
        });
        public
    }

    /// The public bucket; of `showing` it sets the player's own and the opponent's.
    fn public(&self, street: Street, up: (CardSet, CardSet), showing: &mut [Showing; 2]) -> u16 {
        let [own, opponent] = showing;
        self.reader.show(own, up.0, up.1);
        self.reader.show(opponent, up.1, up.0);
        self.public[public_street(street)].bucket(&self.reader.scale, &own.outline, &opponent.outline)
    }

    fn hand<F: StreetBuckets>(
        &self,
        family: &F,
        street: Street,
        public: u16,
        own: CardSet,
        dead: CardSet,
        opponent: &Showing,
    ) -> u16 {
        let mut against = Against::new();
        self.reader.read::<F>(&mut against, opponent);
        family.bucket(public.into(), self.reader.point::<F>(street, own, dead, &against))
    }

    fn hands<F: StreetBuckets>(
        &self,
        family: &F,
        public: u16,
        shown: Shown,
        hidden: Hidden,
        opponent: &Showing,
        buckets: &mut [u16],
    ) {
        let mut against = Against::new();
        self.reader.read::<F>(&mut against, opponent);
        BoardReader::new(&self.reader).buckets(family, public.into(), shown, hidden, &against, buckets);
    }

    /// The buckets of all hands of both players; see [`CardAbstraction::sampled_board`].
    fn both<F: StreetBuckets>(
        &self,
        streets: &[F; 5],
        up: &[[Card; 4]; 2],
        river: &[Card; 2],
        buckets: &mut BoardBuckets,
    ) {
        let reader = &self.reader;
        let mut boards = BoardReader::new(reader);
        let seen: CardSet = up.iter().flatten().chain(river).copied().collect();
        let from = seen.complement();
        let pairs = Hidden::Pairs { from };
        let mut shown = [CardSet::EMPTY; 2];
        let mut showing = [Showing::new(), Showing::new()];
        let mut against = Against::new();
        for player in 0..2 {
            let private = &mut buckets.private[player][0];
            private.resize(pairs.len(), 0);
            buckets.public[player][0] = self.third.look_up(up[player][0], up[1 - player][0], from, private);
            shown[player] = CardSet::EMPTY.with(up[player][0]);
        }
        for street in [Street::Fourth, Street::Fifth, Street::Sixth] {
            let index = street.index();
            shown = [shown[0].with(up[0][index]), shown[1].with(up[1][index])];
            for player in 0..2 {
                reader.show(&mut showing[player], shown[player], shown[1 - player]);
            }
            for player in 0..2 {
                let (own, opponent) = (&showing[player], &showing[1 - player]);
                let public = self.public[index].bucket(&reader.scale, &own.outline, &opponent.outline);
                reader.read::<F>(&mut against, opponent);
                let mut fill = |street: Street, hidden: Hidden| {
                    let index = street.index();
                    let shown = Shown { own: shown[player], opponent: shown[1 - player] };
                    let private = &mut buckets.private[player][index];
                    private.resize(hidden.len(), 0);
                    buckets.public[player][index] = public;
                    boards.buckets(&streets[index], public.into(), shown, hidden, &against, private);
                };
                fill(street, pairs);
                if street == Street::Sixth {
                    fill(Street::Seventh, Hidden::PairsAndRiver { from, river: river[player] });
                }
            }
        }
    }

    fn deal<F: StreetBuckets>(
        &self,
        streets: &[F; 5],
        down: &[[Card; 2]; 2],
        up: &[[Card; 4]; 2],
        river: &[Card; 2],
    ) -> DealBuckets {
        let reader = &self.reader;
        let mut buckets = DealBuckets::default();
        let down = [CardSet::from(&down[0][..]), CardSet::from(&down[1][..])];
        let mut shown = [CardSet::EMPTY; 2];
        let mut showing = [Showing::new(), Showing::new()];
        let mut against = [Against::new(), Against::new()];
        for street in [Street::Third, Street::Fourth, Street::Fifth, Street::Sixth] {
            let index = street.index();
            shown = [shown[0].with(up[0][index]), shown[1].with(up[1][index])];
            for player in 0..2 {
                reader.show(&mut showing[player], shown[player], shown[1 - player]);
            }
            for player in 0..2 {
                let (own, opponent) = (&showing[player], &showing[1 - player]);
                let public = self.public[index].bucket(&reader.scale, &own.outline, &opponent.outline);
                reader.read::<F>(&mut against[player], opponent);
                let own = down[player].union(shown[player]);
                let point = reader.point::<F>(street, own, shown[1 - player], &against[player]);
                buckets[player][index] = (public, streets[index].bucket(public.into(), point));
            }
        }
        for player in 0..2 {
            let public = buckets[player][Street::Sixth.index()].0;
            let own = down[player].union(shown[player]).with(river[player]);
            let point = reader.point::<F>(Street::Seventh, own, shown[1 - player], &against[player]);
            let last = Street::Seventh.index();
            buckets[player][last] = (public, streets[last].bucket(public.into(), point));
        }
        buckets
    }
}

impl CardAbstraction for Abstraction {
    fn public_buckets(&self, street: Street) -> usize {
        self.public[public_street(street)].len()
    }

    fn private_buckets(&self, street: Street) -> usize {
        self.config.street(street).private
    }

    fn public_bucket(&self, street: Street, own_up: &[Card], opponent_up: &[Card]) -> u16 {
        let up = check_up(street, own_up, opponent_up);
        self.public(street, up, &mut [Showing::new(), Showing::new()])
    }

    fn private_bucket(&self, public: u16, situation: &Situation<'_>) -> u16 {
        let street = situation.street;
        let (own_up, opponent_up) = check_up(street, situation.own_up, situation.opponent_up);
        let own = own_up.union(situation.own_down);
        assert!(
            situation.own_down.len() == street.number() - street.up_cards() && own.len() == street.number(),
            "{street:?} street hides {} cards, not {}",
            street.number() - street.up_cards(),
            situation.own_down
        );
        let dead = opponent_up.union(situation.dead);
        let mut opponent = Showing::new();
        self.reader.show(&mut opponent, opponent_up, own_up.union(situation.dead));
        with_family!(&self.private, streets => {
            self.hand(&streets[street.index()], street, public, own, dead, &opponent)
        })
    }

    fn board(&self, board: &BoardSituation<'_>, private: &mut [u16]) -> u16 {
        let BoardSituation { street, hidden, .. } = *board;
        let (own_up, opponent_up) = check_up(street, board.own_up, board.opponent_up);
        assert_eq!(private.len(), hidden.len(), "one bucket for each hidden set");
        let (cards, count) = hidden.cards();
        assert!(
            count == street.number() - street.up_cards() && cards.is_disjoint(own_up.union(opponent_up)),
            "{street:?} street hides {} cards that do not show, not {hidden:?}",
            street.number() - street.up_cards()
        );
        match (board.own_up, board.opponent_up, hidden) {
            (&[own], &[opponent], Hidden::Pairs { from }) => self.third.look_up(own, opponent, from, private),
            _ => self.look_up_board(street, (own_up, opponent_up), hidden, private),
        }
    }

    fn sampled_board(&self, up: &[[Card; 4]; 2], river: &[Card; 2], buckets: &mut BoardBuckets) {
        with_family!(&self.private, streets => self.both(streets, up, river, buckets));
    }

    fn buckets_for_deal(&self, down: &[[Card; 2]; 2], up: &[[Card; 4]; 2], river: &[Card; 2]) -> DealBuckets {
        with_family!(&self.private, streets => self.deal(streets, down, up, river))
    }

    fn fingerprint(&self) -> u64 {
        self.fingerprint
    }
}
