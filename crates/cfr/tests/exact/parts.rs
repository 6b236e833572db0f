//! A game in parts: the same in one piece, by one thread and by several.

use crate::common::{config, public_kuhn, subject};
use doorcard_cfr::exact::{CfrBr, Chance, ExactConfig, Solver, Traversal, Updates, Vector};
use doorcard_cfr::{CfrError, UpdateRule};
use doorcard_efg::{Block, PublicGame, PublicInfosets, PublicTurn, Rows, Stakes};
use doorcard_games::kuhn::{Kuhn, KuhnInfosets, PublicKuhn};
use num_traits::Float;
use std::ops::{AddAssign, Range};

type Node = <PublicKuhn as PublicGame>::Node;

/// How many tables there are.
const TABLES: usize = 5;

/// Chance sends both players to one of several tables of Kuhn poker, which differ in their stakes.
struct Tables(PublicKuhn);

/// Rows by table; as one piece or in parts.
struct TableInfosets {
    inner: KuhnInfosets,
    in_parts: bool,
}

impl PublicGame for Tables {
    type Node = Node;
    /// `None` before chance.
    type Board = Option<usize>;

    fn max_actions(&self) -> usize {
        self.0.max_actions()
    }
    fn root(&self) -> (Node, Self::Board) {
        (self.0.root().0, None)
    }
    fn turn(&self, node: Node, board: &Self::Board) -> PublicTurn {
        board.map_or(PublicTurn::Chance, |_| self.0.turn(node, &()))
    }
    fn act(&self, node: Node, _: &Self::Board, action: usize) -> Node {
        self.0.act(node, &(), action)
    }
    fn outcomes(&self, _: Node, _: &Self::Board) -> usize {
        TABLES
    }
    fn outcome(&self, _: Node, _: &Self::Board, index: usize) -> (Node, Self::Board) {
        (self.0.outcome(self.0.root().0, &(), 0).0, Some(index))
    }
    fn hands(&self, node: Node, board: &Self::Board, player: usize) -> usize {
        board.map_or(1, |_| self.0.hands(node, &(), player))
    }
    fn parents<'a>(&'a self, node: Node, _: &'a Self::Board, player: usize) -> &'a [u32] {
        self.0.parents(node, &(), player)
    }
    fn deals(&self, node: Node, board: &Self::Board) -> f64 {
        board.map_or(1.0, |_| TABLES as f64 * self.0.deals(node, &()))
    }
    fn stakes(&self, node: Node, board: &Self::Board, player: usize) -> Stakes {
        let ante = board.unwrap() as f64;
        let Stakes { pot, paid } = self.0.stakes(node, &(), player);
        Stakes { pot: pot + 2.0 * ante, paid: paid + ante }
    }
    fn compatible<F: Float + AddAssign>(
        &self,
        node: Node,
        _: &Self::Board,
        player: usize,
        reach: &[F],
        compatible: &mut [F],
    ) {
        self.0.compatible(node, &(), player, reach, compatible);
    }
    fn contest<F: Float + AddAssign>(
        &self,
        node: Node,
        _: &Self::Board,
        player: usize,
        reach: &[F],
        compatible: &mut [F],
        share: &mut [F],
    ) {
        self.0.contest(node, &(), player, reach, compatible, share);
    }
}

impl Rows for TableInfosets {
    fn rows(&self) -> u64 {
        TABLES as u64 * self.inner.rows()
    }
    fn slots(&self) -> u64 {
        TABLES as u64 * self.inner.slots()
    }
    fn for_each_row(&self, f: &mut dyn FnMut(u64, usize)) {
        for table in 0..TABLES as u64 {
            self.inner.for_each_row(&mut |slot, actions| f(table * self.inner.slots() + slot, actions));
        }
    }
}

impl PublicInfosets<Tables> for TableInfosets {
    fn block<'a>(
        &'a self,
        game: &'a Tables,
        node: Node,
        board: &'a Option<usize>,
        player: usize,
    ) -> Block<'a> {
        let block = self.inner.block(&game.0, node, &(), player);
        Block { base: block.base + board.unwrap() as u64 * self.inner.slots(), ..block }
    }
    fn root_outcomes(&self) -> Option<Vec<Range<u64>>> {
        let slots = self.inner.slots();
        self.in_parts.then(|| (0..TABLES as u64).map(|table| table * slots..(table + 1) * slots).collect())
    }
}

fn tables(in_parts: bool) -> (Tables, TableInfosets) {
    (Tables(public_kuhn()), TableInfosets { inner: KuhnInfosets::new(&Kuhn::new(2)), in_parts })
}

fn run<V: Traversal>(traversal: V, threads: usize) -> Vec<f64> {
    let config = ExactConfig { threads, ..config(UpdateRule::DCFR, Updates::Alternating) };
    let mut solver: Solver<V> = Solver::new(traversal, subject("tables"), config).unwrap();
    (0..50).for_each(|_| solver.step());
    [solver.table().regret(), solver.table().strategy_sum()].concat()
}

/// Bytes, not numbers: `==` would not tell zeros of different signs apart.
fn bits(numbers: &[f64]) -> Vec<u64> {
    numbers.iter().map(|x| x.to_bits()).collect()
}

#[test]
fn threads_change_nothing() {
    let (game, infosets) = tables(true);
    let vector = |threads| run(Vector::new(&game, &infosets, Chance::Enumerated), threads);
    let response = |threads| run(CfrBr::new(&game, &infosets), threads);
    for threads in [2, 7] {
        assert_eq!(bits(&vector(1)), bits(&vector(threads)));
        assert_eq!(bits(&response(1)), bits(&response(threads)));
    }
}

#[test]
fn parts_are_solved_as_the_whole_is() {
    let (game, infosets) = tables(true);
    let parts = run(Vector::new(&game, &infosets, Chance::Enumerated), 1);
    let (game, infosets) = tables(false);
    let whole = run(Vector::new(&game, &infosets, Chance::Enumerated), 1);
    for (slot, (a, b)) in parts.iter().zip(&whole).enumerate() {
        assert!((a - b).abs() < 1e-9 * (1.0 + a.abs()), "slot {slot}: {a} and {b}");
    }
    // The tables differ, so that mixing them up would show.
    let slots = infosets.inner.slots() as usize;
    assert!((whole[..slots].iter().zip(&whole[slots..]).any(|(a, b)| (a - b).abs() > 1e-3)));
}

#[test]
fn rows_outside_their_part_are_refused() {
    struct Wrong(TableInfosets);
    impl Rows for Wrong {
        fn rows(&self) -> u64 {
            self.0.rows()
        }
        fn slots(&self) -> u64 {
            self.0.slots()
        }
        fn for_each_row(&self, f: &mut dyn FnMut(u64, usize)) {
            self.0.for_each_row(f);
        }
    }
    impl PublicInfosets<Tables> for Wrong {
        fn block<'a>(
            &'a self,
            game: &'a Tables,
            node: Node,
            board: &'a Option<usize>,
            player: usize,
        ) -> Block<'a> {
            self.0.block(game, node, board, player)
        }
        fn root_outcomes(&self) -> Option<Vec<Range<u64>>> {
            let mut ranges = self.0.root_outcomes()?;
            // The last row of the first table goes to the second.
            ranges[0].end -= 2;
            ranges[1].start -= 2;
            Some(ranges)
        }
    }
    let (game, infosets) = tables(true);
    let wrong = Wrong(infosets);
    let vectors = Vector::new(&game, &wrong, Chance::Enumerated);
    let config = config(UpdateRule::Vanilla, Updates::Alternating);
    let error = Solver::<_, f64>::new(vectors, subject("tables"), config).err().unwrap();
    assert!(matches!(error, CfrError::Layout { .. }), "{error}");
}
