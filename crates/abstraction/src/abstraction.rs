//! The built abstraction and its look-ups.

use crate::against::Against;
use crate::board::{BoardReader, Shown, ThirdStreet};
use crate::mix::PublicMix;
use crate::private::{KmeansStreet, OchsStreet, PercentileStreet, RankStreet, StreetBuckets};
use crate::public::PublicBuckets;
use crate::reader::{Reader, Showing};
use crate::situation::{BoardBuckets, BoardSituation, CardAbstraction, DealBuckets, Hidden, Situation};
use crate::{AbstractionConfig, AbstractionError, Recall};
use doorcard_cards::{Card, CardSet};
use doorcard_games::stud::{Rules, Street, Variant};

/// The private buckets of all streets.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Private {
    Percentile([PercentileStreet; 5]),
    Kmeans([KmeansStreet; 5]),
    Ochs([OchsStreet; 5]),
    Rank([RankStreet; 5]),
}

/// Calls `$body` with `$streets` bound to the streets of whichever family it is.
macro_rules! with_family {
    ($private:expr, $streets:ident => $body:expr) => {
        match $private {
            Private::Percentile($streets) => $body,
            Private::Kmeans($streets) => $body,
            Private::Ochs($streets) => $body,
            Private::Rank($streets) => $body,
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

/// The cards that show on a street of those that show on it or later ones.
fn shown_on(street: Street, own_up: &[Card], opponent_up: &[Card]) -> (CardSet, CardSet) {
    let shown = |up: &[Card]| CardSet::from(&up[..street.up_cards()]);
    (shown(own_up), shown(opponent_up))
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
            let (street, own_up, opponent_up) = (Street::Third, &[own][..], &[opponent][..]);
            let hidden = Hidden::Pairs { from };
            self.look_up_board(&BoardSituation { street, own_up, opponent_up, hidden }, buckets)
        });
        self
    }

    fn look_up_board(&self, board: &BoardSituation<'_>, private: &mut [u16]) -> u16 {
        let showing = &mut [Showing::new(), Showing::new()];
        let public = self.public(board.street, board.own_up, board.opponent_up, showing);
        with_family!(&self.private, streets => self.hands(streets, public, board, private));
        public
    }

    /// The public bucket; of `showing` it sets the player's own and the opponent's.
    fn public(
        &self,
        street: Street,
        own_up: &[Card],
        opponent_up: &[Card],
        showing: &mut [Showing; 2],
    ) -> u16 {
        let mut public = 0;
        for &street in self.config.public_streets_for(street.min(Street::Sixth)) {
            let (own_up, opponent_up) = shown_on(street, own_up, opponent_up);
            let [own, opponent] = &mut *showing;
            self.reader.show(own, own_up, opponent_up);
            self.reader.show(opponent, opponent_up, own_up);
            let path = self.config.path((public, 0)).0;
            public = self.public[street.index()].bucket(&self.reader.scale, path, own, opponent);
        }
        public
    }

    /// The private bucket of one hand; see [`CardAbstraction::private_bucket`].
    fn hand<F: StreetBuckets>(&self, streets: &[F; 5], public: u16, situation: &Situation<'_>) -> u16 {
        let mut boards = BoardReader::new(&self.reader);
        let mut showing = Showing::new();
        let mut against = Against::new();
        let shown = CardSet::from(situation.own_up).union(CardSet::from(situation.opponent_up));
        let seen = situation.dead.minus(shown);
        let mut private = 0;
        for &street in self.config.private_streets_for(situation.street) {
            let public = self.config.public_on(street, situation.street, public);
            let (own_up, opponent_up) = shown_on(street, situation.own_up, situation.opponent_up);
            let own_down = match (street, situation.river) {
                (Street::Seventh, _) | (_, None) => situation.own_down,
                (_, Some(river)) => situation.own_down.without(river),
            };
            // To divide all hands for the sake of one is slow on third street, where nothing speeds up their sums.
            if F::BY_BOARD && street == Street::Third && seen.is_empty() {
                private = self.third.bucket(situation.own_up[0], situation.opponent_up[0], own_down);
                continue;
            }
            self.reader.show(&mut showing, opponent_up, own_up.union(seen));
            self.reader.read::<F>(&mut against, &showing);
            let others = opponent_up.union(seen);
            let family = &streets[street.index()];
            self.cut(&mut boards, family, street, Shown { own: own_up, others }, &mut showing, &against);
            let point = self.reader.point::<F>(street, own_up.union(own_down), others, &against);
            let path = self.config.path((0, private)).1;
            private = boards.bucket(&self.config.within(family, street, public), path, point);
        }
        private
    }

    /// Divides the hands behind a board, if the family does so board by board. `room` is written over.
    fn cut<F: StreetBuckets>(
        &self,
        boards: &mut BoardReader<'_, F>,
        family: &F,
        street: Street,
        shown: Shown,
        room: &mut Showing,
        against: &Against,
    ) {
        if street != Street::Seventh {
            boards.cut(family, shown, against);
        } else if F::BY_BOARD {
            self.reader.show(room, shown.own, shown.others);
            boards.cut_complete(family, room, against);
        }
    }

    /// The private buckets of all hands behind a board; see [`CardAbstraction::board`].
    fn hands<F: StreetBuckets>(
        &self,
        streets: &[F; 5],
        public: u16,
        board: &BoardSituation<'_>,
        buckets: &mut [u16],
    ) {
        let mut boards = BoardReader::new(&self.reader);
        let mut showing = Showing::new();
        let mut against = Against::new();
        buckets.fill(0);
        for &street in self.config.private_streets_for(board.street) {
            let public = self.config.public_on(street, board.street, public);
            let (own_up, opponent_up) = shown_on(street, board.own_up, board.opponent_up);
            let hidden = match board.hidden {
                Hidden::PairsAndRiver { from, .. } if street != Street::Seventh => Hidden::Pairs { from },
                hidden => hidden,
            };
            self.reader.show(&mut showing, opponent_up, own_up);
            self.reader.read::<F>(&mut against, &showing);
            let shown = Shown { own: own_up, others: opponent_up };
            let family = &streets[street.index()];
            self.cut(&mut boards, family, street, shown, &mut showing, &against);
            let within = self.config.within(family, street, public);
            boards.buckets(&within, shown, hidden, &against, buckets);
        }
    }

    /// The buckets of all hands of both players; see [`CardAbstraction::sampled_board`].
    fn both<F: StreetBuckets>(
        &self,
        streets: &[F; 5],
        up: &[[Card; 4]; 2],
        river: &[Card; 2],
        buckets: &mut BoardBuckets,
    ) {
        let (reader, config) = (&self.reader, &self.config);
        let mut boards = BoardReader::new(reader);
        let seen: CardSet = up.iter().flatten().chain(river).copied().collect();
        let from = seen.complement();
        let pairs = Hidden::Pairs { from };
        let mut shown = [CardSet::EMPTY; 2];
        let mut showing = [Showing::new(), Showing::new()];
        let mut against = Against::new();
        let mut last = [0; 2];
        for player in 0..2 {
            let private = &mut buckets.private[player][0];
            private.resize(pairs.len(), 0);
            last[player] = self.third.look_up(up[player][0], up[1 - player][0], from, private);
            buckets.public[player][0] = last[player];
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
                let path = config.path((last[player], 0)).0;
                let public = self.public[index].bucket(&reader.scale, path, own, opponent);
                last[player] = public;
                reader.read::<F>(&mut against, opponent);
                let mut fill = |street: Street, hidden: Hidden| {
                    let index = street.index();
                    let shown = Shown { own: shown[player], others: shown[1 - player] };
                    if street == Street::Seventh {
                        boards.cut_complete(&streets[index], own, &against);
                    } else {
                        boards.cut(&streets[index], shown, &against);
                    }
                    let (before, private) = buckets.private[player].split_at_mut(index);
                    let private = &mut private[0];
                    private.clear();
                    match before.last() {
                        Some(paths) if config.recall() == Recall::Perfect => private.extend_from_slice(paths),
                        _ => private.resize(hidden.len(), 0),
                    }
                    buckets.public[player][index] = public;
                    let within = config.within(&streets[index], street, public);
                    boards.buckets(&within, shown, hidden, &against, private);
                };
                fill(street, pairs);
                if street == Street::Sixth {
                    fill(Street::Seventh, Hidden::PairsAndRiver { from, river: river[player] });
                }
            }
        }
    }

    /// The buckets of a deal; see [`CardAbstraction::buckets_for_deal`].
    fn deal<F: StreetBuckets>(
        &self,
        streets: &[F; 5],
        down: &[[Card; 2]; 2],
        up: &[[Card; 4]; 2],
        river: &[Card; 2],
    ) -> DealBuckets {
        let (reader, config) = (&self.reader, &self.config);
        let mut buckets = DealBuckets::default();
        let down = [CardSet::from(&down[0][..]), CardSet::from(&down[1][..])];
        let mut boards = BoardReader::new(reader);
        let mut shown = [CardSet::EMPTY; 2];
        let mut showing = [Showing::new(), Showing::new()];
        let mut against = [Against::new(), Against::new()];
        let mut last = [(0, 0); 2];
        for player in 0..2 {
            let (own, opponent) = (up[player][0], up[1 - player][0]);
            last[player] = (self.third.public(own, opponent), self.third.bucket(own, opponent, down[player]));
            buckets[player][0] = last[player];
            shown[player] = CardSet::EMPTY.with(own);
        }
        for street in [Street::Fourth, Street::Fifth, Street::Sixth] {
            let index = street.index();
            shown = [shown[0].with(up[0][index]), shown[1].with(up[1][index])];
            for player in 0..2 {
                reader.show(&mut showing[player], shown[player], shown[1 - player]);
            }
            for player in 0..2 {
                let (own, opponent) = (&showing[player], &showing[1 - player]);
                let path = config.path(last[player]);
                let public = self.public[index].bucket(&reader.scale, path.0, own, opponent);
                reader.read::<F>(&mut against[player], opponent);
                let shown = Shown { own: shown[player], others: shown[1 - player] };
                boards.cut(&streets[index], shown, &against[player]);
                let own = down[player].union(shown.own);
                let point = reader.point::<F>(street, own, shown.others, &against[player]);
                let within = config.within(&streets[index], street, public);
                last[player] = (public, boards.bucket(&within, path.1, point));
                buckets[player][index] = last[player];
            }
        }
        for player in 0..2 {
            let public = last[player].0;
            let own = down[player].union(shown[player]).with(river[player]);
            let point = reader.point::<F>(Street::Seventh, own, shown[1 - player], &against[player]);
            let index = Street::Seventh.index();
            boards.cut_complete(&streets[index], &showing[player], &against[player]);
            let within = config.within(&streets[index], Street::Seventh, public);
            let path = config.path(last[player]).1;
            buckets[player][index] = (public, boards.bucket(&within, path, point));
        }
        buckets
    }
}

impl CardAbstraction for Abstraction {
    fn public_buckets(&self, street: Street) -> usize {
        self.public[public_street(street)].len()
    }

    fn private_buckets(&self, street: Street) -> usize {
        self.config.buckets(street).1
    }

    fn public_bucket(&self, street: Street, own_up: &[Card], opponent_up: &[Card]) -> u16 {
        check_up(street, own_up, opponent_up);
        self.public(street, own_up, opponent_up, &mut [Showing::new(), Showing::new()])
    }

    fn public_mix(&self, street: Street, own_up: &[Card], opponent_up: &[Card]) -> PublicMix {
        if self.config.neighbours() == 1 {
            return PublicMix::one(self.public_bucket(street, own_up, opponent_up));
        }
        let (own_up, opponent_up) = check_up(street, own_up, opponent_up);
        let [mut own, mut opponent] = [Showing::new(), Showing::new()];
        self.reader.show(&mut own, own_up, opponent_up);
        self.reader.show(&mut opponent, opponent_up, own_up);
        let street = public_street(street);
        let (buckets, error) = (&self.public[street], self.public_error[street]);
        buckets.mix(&self.reader.scale, self.config.neighbours(), error, &own, &opponent)
    }

    fn private_bucket(&self, public: u16, situation: &Situation<'_>) -> u16 {
        let Situation { street, own_down, river, .. } = *situation;
        let (own_up, _) = check_up(street, situation.own_up, situation.opponent_up);
        assert!(
            own_down.len() == street.number() - street.up_cards() && own_down.is_disjoint(own_up),
            "{street:?} street hides {} cards that do not show, not {own_down}",
            street.number() - street.up_cards(),
        );
        let river_is_known = match river {
            Some(river) => street == Street::Seventh && own_down.contains(river),
            None => street != Street::Seventh || self.config.recall() != Recall::Perfect,
        };
        assert!(
            river_is_known,
            "one of {own_down} was dealt last on seventh street, none before: not {river:?}"
        );
        with_family!(&self.private, streets => self.hand(streets, public, situation))
    }

    fn board(&self, board: &BoardSituation<'_>, private: &mut [u16]) -> u16 {
        let BoardSituation { street, own_up, opponent_up, hidden } = *board;
        let up = check_up(street, own_up, opponent_up);
        assert_eq!(private.len(), hidden.len(), "one bucket for each hidden set");
        let (cards, count) = hidden.cards();
        assert!(
            count == street.number() - street.up_cards() && cards.is_disjoint(up.0.union(up.1)),
            "{street:?} street hides {} cards that do not show, not {hidden:?}",
            street.number() - street.up_cards()
        );
        assert!(
            self.config.recall() != Recall::Perfect || !matches!(hidden, Hidden::Triples { .. }),
            "with perfect recall it matters which hidden card came last"
        );
        match (own_up, opponent_up, hidden) {
            (&[own], &[opponent], Hidden::Pairs { from }) => self.third.look_up(own, opponent, from, private),
            _ => self.look_up_board(board, private),
        }
    }

    fn sampled_board(&self, up: &[[Card; 4]; 2], river: &[Card; 2], buckets: &mut BoardBuckets) {
        with_family!(&self.private, streets => self.both(streets, up, river, buckets));
    }

    fn buckets_for_deal(&self, down: &[[Card; 2]; 2], up: &[[Card; 4]; 2], river: &[Card; 2]) -> DealBuckets {
        with_family!(&self.private, streets => self.deal(streets, down, up, river))
    }

    fn tells_rivers_apart(&self) -> bool {
        self.config.recall() == Recall::Perfect
    }

    fn fingerprint(&self) -> u64 {
        self.fingerprint
    }
}
