//! The two exploitabilities of a strategy of an abstraction: Leduc hold'em for players who confuse cards.

use crate::sequence_form::solve;
use crate::strategies::{Random, assert_close};
use doorcard_efg::{Block, Infosets, Policy, PublicInfosets, Rows};
use doorcard_eval::exploitability::{Scope, abstract_exploitability, exploitability, lift};
use doorcard_eval::{EvalError, public};
use doorcard_games::leduc::{Leduc, LeducBoard, LeducDeal, LeducInfosets, LeducNode, LeducView, PublicLeduc};

/// Leduc hold'em without suits, and with ranks of the private card merged.
struct Coarse {
    inner: LeducInfosets,
    /// The rank that a player takes the private card for. Shape: `[round][rank]`.
    ranks: [[u8; 3]; 2],
    /// Buckets of the hands of the first round.
    private: [u32; 6],
    /// Buckets of the hands of the second round by public card.
    public: [[u32; 5]; 6],
}

impl Coarse {
    fn new(game: &Leduc, ranks: [[u8; 3]; 2]) -> Coarse {
        let hand = |card: u8, public: u8| u32::from(card) - u32::from(card > public);
        let mut coarse =
            Coarse { inner: LeducInfosets::new(game), ranks, private: [0; 6], public: [[0; 5]; 6] };
        for card in 0..6 {
            coarse.private[usize::from(card)] = u32::from(coarse.taken_for(0, card));
            for public in (0..6).filter(|&public| public != card) {
                coarse.public[usize::from(public)][hand(card, public) as usize] =
                    hand(coarse.taken_for(1, card), turned(public));
            }
        }
        coarse
    }

    /// The first card of the rank that a private card is taken for.
    fn taken_for(&self, round: usize, card: u8) -> u8 {
        2 * self.ranks[round][usize::from(card / 2)]
    }
}

/// The second card of the public card's rank, which no private card is taken for.
fn turned(public: u8) -> u8 {
    public / 2 * 2 + 1
}

impl Rows for Coarse {
    fn rows(&self) -> u64 {
        self.inner.rows()
    }

    fn slots(&self) -> u64 {
        self.inner.slots()
    }

    fn for_each_row(&self, f: &mut dyn FnMut(u64, usize)) {
        self.inner.for_each_row(f);
    }
}

impl Infosets<Leduc> for Coarse {
    type View = LeducView;

    fn view(&self, game: &Leduc, deal: &LeducDeal) -> LeducView {
        [0, 1].map(|round| {
            let private = deal.private.map(|card| self.taken_for(round, card));
            self.inner.view(game, &LeducDeal { private, public: turned(deal.public) })[round]
        })
    }

    fn slot(&self, view: &LeducView, node: &LeducNode, player: usize) -> u64 {
        Infosets::<Leduc>::slot(&self.inner, view, node, player)
    }
}

impl PublicInfosets<PublicLeduc> for Coarse {
    fn block<'a>(
        &'a self,
        game: &'a PublicLeduc,
        node: LeducNode,
        board: &'a LeducBoard,
        player: usize,
    ) -> Block<'a> {
        match *board {
            LeducBoard::Public(public) => {
                let Block { base, stride, .. } =
                    self.inner.block(game, node, &LeducBoard::Public(turned(public)), player);
                Block { base, stride, buckets: &self.public[usize::from(public)] }
            }
            _ => Block { buckets: &self.private, ..self.inner.block(game, node, board, player) },
        }
    }
}

const EXACT: [u8; 3] = [0, 1, 2];
/// The queen is taken for a jack.
const LOW_OR_KING: [u8; 3] = [0, 0, 2];

/// The nash_conv in the real game of a strategy of an abstraction, in both forms.
fn real_nash_conv(game: &Leduc, coarse: &Coarse, policy: &dyn Policy) -> f64 {
    let infosets = LeducInfosets::new(game);
    let lifted = lift(game, coarse, policy, &infosets).unwrap();
    let in_histories = exploitability(game, &infosets, &lifted).unwrap();
    let in_vectors = public::exploitability(&PublicLeduc::new(game), coarse, policy).unwrap();
    assert_eq!((in_histories.scope, in_vectors.scope), (Scope::Real, Scope::Real));
    for player in 0..2 {
        assert_close(in_vectors.values[player], in_histories.values[player], 1e-12);
        assert_close(in_vectors.best_responses[player], in_histories.best_responses[player], 1e-12);
    }
    in_vectors.nash_conv
}

#[test]
fn suits_do_not_matter_in_leduc() {
    let game = Leduc::new();
    let coarse = Coarse::new(&game, [EXACT; 2]);
    let equilibrium = solve(&game, &coarse);
    // Three ranks instead of six cards: 144 infosets of 468 for each player.
    assert_eq!(equilibrium.infosets, [144; 2]);
    assert_close(equilibrium.value, solve(&game, &LeducInfosets::new(&game)).value, 1e-12);
    assert_close(real_nash_conv(&game, &coarse, &equilibrium.strategy), 0.0, 1e-11);
}

#[test]
fn an_equilibrium_of_an_abstraction_is_exploitable_in_the_real_game() {
    let game = Leduc::new();
    let coarse = Coarse::new(&game, [LOW_OR_KING; 2]);
    let policy = solve(&game, &coarse).strategy;
    let found = abstract_exploitability(&game, &coarse, &policy).unwrap();
    assert_eq!(found.scope, Scope::Abstract);
    assert_close(found.nash_conv, 0.0, 1e-11);
    let real = real_nash_conv(&game, &coarse, &policy);
    println!(
        "jack and queen merged: nash_conv {:.1e} {}, {real} {}",
        found.nash_conv,
        found.scope,
        Scope::Real
    );
    assert!(real > 0.5, "{real}");
}

#[test]
fn real_responders_do_at_least_as_well_as_abstract_ones() {
    let game = Leduc::new();
    let coarse = Coarse::new(&game, [LOW_OR_KING; 2]);
    for seed in 0..6 {
        let found = abstract_exploitability(&game, &coarse, &Random(seed)).unwrap();
        let real = public::exploitability(&PublicLeduc::new(&game), &coarse, &Random(seed)).unwrap();
        for player in 0..2 {
            assert_close(real.values[player], found.values[player], 1e-12);
            assert!(real.best_responses[player] >= found.best_responses[player] - 1e-12);
        }
        assert!(found.nash_conv > 0.1 && real.nash_conv > found.nash_conv + 0.1, "{found:?} {real:?}");
    }
}

/// A player who knows the rank before the public card and forgets it after: no best response inside the abstraction,
/// but one in the real game.
#[test]
fn an_abstraction_that_forgets_is_measured_in_the_real_game_alone() {
    let game = Leduc::new();
    let coarse = Coarse::new(&game, [EXACT, LOW_OR_KING]);
    let error = abstract_exploitability(&game, &coarse, &Random(0)).unwrap_err();
    assert!(matches!(error, EvalError::ImperfectRecall { .. }), "{error}");
    assert!(real_nash_conv(&game, &coarse, &Random(0)) > 0.1);
}

#[test]
fn a_finer_layout_is_no_abstraction() {
    let game = Leduc::new();
    let (coarse, infosets) = (Coarse::new(&game, [LOW_OR_KING; 2]), LeducInfosets::new(&game));
    let error = lift(&game, &infosets, &Random(0), &coarse).unwrap_err();
    assert!(matches!(error, EvalError::NotAnAbstraction { .. }), "{error}");
}
