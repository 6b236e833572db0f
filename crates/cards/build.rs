//! Generates the tables of `rank7` as statics; `src/rank7.rs` describes the scheme.

use std::fmt::{Display, Write as _};
use std::path::Path;
use std::{env, fs};

/// A number per rank, such that sums over seven cards (at most four of a rank) are all different.
/// Found by K. Shackleton for his evaluator SpecialKEval; building the tables below checks the property.
const RANK_KEYS: [u32; 13] = [0, 1, 5, 22, 98, 453, 2031, 8698, 22854, 83661, 262349, 636345, 1479181];

/// Key sums fit into this many bits.
const SUM_BITS: u32 = 23;
/// The keys are multiplied by this modulo 2^SUM_BITS. An odd factor keeps sums different, and this one, the best of a
/// thousand tried, spreads them so evenly that the displaced rows leave no gaps: 48,479 cells for 49,205 sums (equal
/// values share cells), where the plain keys need 109,660.
const FACTOR: u32 = 513_400_147;
/// A sum's upper bits choose a row, its lower `COLUMN_BITS` a column.
const COLUMN_BITS: u32 = 10;
/// Flushes stand behind all other hands, so that one load serves both.
const FLUSHES: usize = 7 << 13;

const HIGH_CARD: u32 = 0;
const PAIR: u32 = 1;
const TWO_PAIR: u32 = 2;
const TRIPS: u32 = 3;
const STRAIGHT: u32 = 4;
const FLUSH: u32 = 5;
const FULL_HOUSE: u32 = 6;
const QUADS: u32 = 7;
const STRAIGHT_FLUSH: u32 = 8;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let mut text = String::new();
    let ranks = DenseRanks::new();

    let keys = RANK_KEYS.map(|key| key.wrapping_mul(FACTOR) % (1 << SUM_BITS));
    let mut sevens = Vec::new();
    multisets(7, &mut |counts| {
        let sum = keys.iter().zip(counts).fold(0u32, |sum, (key, &count)| sum + key * u32::from(count));
        sevens.push((sum % (1 << SUM_BITS), ranks.dense(strength(counts))));
    });
    sevens.sort_unstable();
    assert!(sevens.windows(2).all(|pair| pair[0].0 != pair[1].0), "two rank multisets share a key sum");
    let (rows, mut cells) = displace(&sevens);

    assert!(cells.len() <= FLUSHES);
    cells.resize(FLUSHES, 0);
    cells.extend((0u32..1 << 13).map(|mask| match mask.count_ones() {
        5..=7 => ranks.dense(flush_strength(mask)),
        _ => 0,
    }));

    writeln!(text, "const COLUMN_BITS: u32 = {COLUMN_BITS};\nconst FLUSHES: u16 = {FLUSHES};\nconst SUM_BITS: u32 = {SUM_BITS};").unwrap();
    write_array(&mut text, "const RANK_KEYS", "u32", &keys, keys.len());
    write_array(&mut text, "static ROWS", "u16", &rows, 1 << (SUM_BITS - COLUMN_BITS));
    write_array(&mut text, "static CELLS", "u16", &cells, 1 << 16);
    let path = Path::new(&env::var("OUT_DIR").unwrap()).join("rank7_tables.rs");
    fs::write(path, text).unwrap();
}

/// Writes an array of `len` values, the missing ones zero.
fn write_array<T: Display>(text: &mut String, name: &str, kind: &str, values: &[T], len: usize) {
    assert!(values.len() <= len, "{name} has {} values, not {len}", values.len());
    write!(text, "{name}: [{kind}; {len}] = [").unwrap();
    for value in values {
        write!(text, "{value},").unwrap();
    }
    text.push_str(&"0,".repeat(len - values.len()));
    text.push_str("];\n");
}

/// Calls `f` with the rank counts of every multiset of `cards` cards, at most four of a rank.
fn multisets(cards: u8, f: &mut impl FnMut(&[u8; 13])) {
    fn extend(rank: usize, left: u8, counts: &mut [u8; 13], f: &mut impl FnMut(&[u8; 13])) {
        if rank == 13 {
            if left == 0 {
                f(counts);
            }
            return;
        }
        for count in 0..=left.min(4) {
            counts[rank] = count;
            extend(rank + 1, left - count, counts, f);
        }
        counts[rank] = 0;
    }
    extend(0, cards, &mut [0; 13], f);
}

/// Rank of the top card of the best straight in a set of ranks.
fn straight_top(mask: u32) -> Option<usize> {
    let ace_low = mask << 1 | mask >> 12 & 1;
    (3..13).rev().find(|top| ace_low >> (top - 3) & 0b11111 == 0b11111)
}

/// A category and its deciding ranks in one number that orders hands.
fn pack(category: u32, ranks: &[usize]) -> u32 {
    (0..5).fold(category, |packed, i| packed << 4 | ranks.get(i).map_or(0, |&rank| rank as u32))
}

/// Strength of the best five of at least five cards of these ranks, no flush considered.
fn strength(counts: &[u8; 13]) -> u32 {
    let best =
        |least: u8, used: &[usize]| (0..13).rev().find(|rank| counts[*rank] >= least && !used.contains(rank));
    let with_kickers = |category, made: &[usize], kickers: usize| {
        let mut hand = made.to_vec();
        hand.extend((0..13).rev().filter(|rank| counts[*rank] > 0 && !made.contains(rank)).take(kickers));
        pack(category, &hand)
    };
    if let Some(four) = best(4, &[]) {
        return with_kickers(QUADS, &[four], 1);
    }
    let three = best(3, &[]);
    let pair = three.and_then(|three| best(2, &[three]));
    if let (Some(three), Some(pair)) = (three, pair) {
        return pack(FULL_HOUSE, &[three, pair]);
    }
    let mask = (0..13).filter(|&rank| counts[rank] > 0).fold(0, |mask, rank| mask | 1 << rank);
    if let Some(top) = straight_top(mask) {
        return pack(STRAIGHT, &[top]);
    }
    if let Some(three) = three {
        return with_kickers(TRIPS, &[three], 2);
    }
    let Some(first) = best(2, &[]) else { return with_kickers(HIGH_CARD, &[], 5) };
    match best(2, &[first]) {
        Some(second) => with_kickers(TWO_PAIR, &[first, second], 1),
        None => with_kickers(PAIR, &[first], 3),
    }
}

/// Strength of the best five suited cards of these ranks.
fn flush_strength(mask: u32) -> u32 {
    match straight_top(mask) {
        Some(top) => pack(STRAIGHT_FLUSH, &[top]),
        None => {
            let ranks: Vec<usize> = (0..13).rev().filter(|rank| mask >> rank & 1 == 1).take(5).collect();
            pack(FLUSH, &ranks)
        }
    }
}

/// The strengths of all five-card hands in ascending order.
struct DenseRanks(Vec<u32>);

impl DenseRanks {
    fn new() -> DenseRanks {
        let mut all = Vec::new();
        multisets(5, &mut |counts| all.push(strength(counts)));
        all.extend((0u32..1 << 13).filter(|mask| mask.count_ones() == 5).map(flush_strength));
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 7462);
        DenseRanks(all)
    }

    /// 1 for the worst hand to 7,462 for the royal flush.
    fn dense(&self, strength: u32) -> u16 {
        self.0.binary_search(&strength).expect("a five-card hand") as u16 + 1
    }
}

/// Row displacement (Tarjan and Yao 1979): rows of a sparse matrix are shifted until they overlay without
/// conflict, the fullest first and each to the first place where it fits. Cells of equal value may coincide.
/// Returns what to add to the sums of each row, modulo 2^16, to find their cells, and the cells.
fn displace(entries: &[(u32, u16)]) -> (Vec<u16>, Vec<u16>) {
    let row_of = |sum: u32| (sum >> COLUMN_BITS) as usize;
    let column_of = |sum: u32| (sum % (1 << COLUMN_BITS)) as usize;
    let mut rows: Vec<&[(u32, u16)]> = entries.chunk_by(|a, b| row_of(a.0) == row_of(b.0)).collect();
    rows.sort_by_key(|row| (std::cmp::Reverse(row.len()), row[0].0));
    let mut displacements = vec![0u16; 1 << (SUM_BITS - COLUMN_BITS)];
    let mut cells = vec![0u16; 1 << 16];
    let mut used = 0;
    for row in rows {
        let fits = |start: &usize| {
            row.iter().all(|&(sum, value)| {
                let cell = cells[start + column_of(sum)];
                cell == 0 || cell == value
            })
        };
        let last = cells.len() - (1 << COLUMN_BITS);
        let start = (0..=last).find(fits).expect("the rows fit into 2^16 cells");
        for &(sum, value) in row {
            let cell = start + column_of(sum);
            cells[cell] = value;
            used = used.max(cell + 1);
        }
        let index = row_of(row[0].0);
        displacements[index] = (start as u16).wrapping_sub((index << COLUMN_BITS) as u16);
    }
    cells.truncate(used);
    (displacements, cells)
}
