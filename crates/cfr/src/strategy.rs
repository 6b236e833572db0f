//! Exported average strategies: what a player needs, quantised and mapped.
//!
//! The section `probabilities` holds a `u16` per slot, `[slot]`. A row of the average strategy is scaled to
//! sum to exactly 65,535: each probability is rounded down and what is missing is given, one each, to the
//! actions with the largest remainders (of equal ones the first), so that none is off by more than 1/65,535
//! and an impossible action stays impossible. Rows that were never visited as an opponent's hold the current
//! strategy of their regrets instead and sum to 65,534; rows never visited at all are zero. A row's sum
//! therefore says where it comes from ([`Source`]) without a further table.

use crate::average::{Source, average_row};
use crate::checkpoint::{expect_layout, expect_subject};
use crate::trainer::{Settings, State, Subject};
use crate::{CfrError, Layout, MAX_ACTIONS, Real, Row};
use doorcard_efg::{Policy, Rows};
use doorcard_store::{Container, ContainerWriter, Kind, MappedSection};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The kind of strategy files.
pub const STRATEGY: Kind = Kind::new("strategy", 3);

const PROBABILITIES: &str = "probabilities";
const AVERAGE_SUM: u16 = 65_535;
const REGRET_SUM: u16 = 65_534;
/// Slots quantised between two writes.
const PIECE: usize = 1 << 18;

/// What a strategy says about itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StrategyHeader {
    /// The version of the program that wrote it.
    pub program: String,
    /// What was solved.
    pub subject: Subject,
    /// How many infosets.
    pub rows: u64,
    /// How many infoset-action pairs.
    pub slots: u64,
    /// The fingerprint of the layout of the infosets.
    pub layout: u64,
    /// How it was trained.
    pub settings: Settings,
    /// How long it was trained, and how often rows were visited.
    pub state: State,
    /// Rows that hold the average strategy.
    pub average_rows: u64,
    /// Rows that hold the current strategy of their regrets, for want of an average.
    pub regret_rows: u64,
    /// Rows that were never visited.
    pub untouched_rows: u64,
}

/// What is known about the tables that a file is made of.
pub(crate) struct About<'a> {
    pub(crate) subject: &'a Subject,
    pub(crate) layout: &'a Layout,
    pub(crate) settings: &'a Settings,
    pub(crate) state: &'a State,
}

/// Writes the average strategy of tables of which `row` gives a row's regrets and strategy sums.
pub(crate) fn write<T: Real>(
    path: &Path,
    about: About<'_>,
    infosets: &impl Rows,
    row: impl Fn(u64, usize) -> (Row<T>, Row<T>),
) -> Result<StrategyHeader, CfrError> {
    let mut header = StrategyHeader {
        program: env!("CARGO_PKG_VERSION").into(),
        subject: about.subject.clone(),
        rows: about.layout.rows(),
        slots: about.layout.slots(),
        layout: about.layout.fingerprint(),
        settings: *about.settings,
        state: *about.state,
        average_rows: 0,
        regret_rows: 0,
        untouched_rows: 0,
    };
    let row = |slot: u64, actions: usize| {
        let (regret, strategy_sum) = row(slot, actions);
        average_row(&strategy_sum[..actions], &regret[..actions])
    };
    // The header stands before the rows: they are counted first and quantised in a second walk.
    infosets.for_each_row(&mut |slot, actions| match row(slot, actions).0 {
        Source::Average => header.average_rows += 1,
        Source::Regret => header.regret_rows += 1,
        Source::Untouched => header.untouched_rows += 1,
    });
    write_rows(path, &header, infosets, |slot, actions| {
        let (source, probabilities) = row(slot, actions);
        quantise(source, &probabilities)
    })?;
    Ok(header)
}

/// Writes a file of quantised rows.
fn write_rows(
    path: &Path,
    header: &StrategyHeader,
    infosets: &impl Rows,
    row: impl Fn(u64, usize) -> [u16; MAX_ACTIONS],
) -> Result<(), CfrError> {
    let mut writer = ContainerWriter::create(path, STRATEGY, header)?;
    writer.section_with(PROBABILITIES, |sink| {
        let mut piece: Vec<u16> = Vec::with_capacity(PIECE + MAX_ACTIONS);
        let mut written = 0;
        let mut result = Ok(());
        infosets.for_each_row(&mut |slot, actions| {
            if result.is_err() {
                return;
            }
            // Slots between rows belong to nobody and stay zero.
            piece.resize((slot - written) as usize, 0);
            piece.extend_from_slice(&row(slot, actions)[..actions]);
            if piece.len() >= PIECE {
                result = sink.push(&piece);
                written += piece.len() as u64;
                piece.clear();
            }
        });
        result?;
        piece.resize((header.slots - written) as usize, 0);
        sink.push(&piece)
    })?;
    writer.commit()?;
    Ok(())
}

/// The row at a slot of tables that lie as the infosets do.
pub(crate) fn row_of<T: Real>(
    regret: &[T],
    strategy_sum: &[T],
    slot: u64,
    actions: usize,
) -> (Row<T>, Row<T>) {
    let row = |table: &[T]| {
        let mut row = [T::ZERO; MAX_ACTIONS];
        row[..actions].copy_from_slice(&table[slot as usize..][..actions]);
        row
    };
    (row(regret), row(strategy_sum))
}

/// A row as the module's documentation says. Probabilities beyond the row's actions are zero and stay so.
fn quantise<T: Real>(source: Source, row: &Row<T>) -> [u16; MAX_ACTIONS] {
    let total = match source {
        Source::Average => AVERAGE_SUM,
        Source::Regret => REGRET_SUM,
        Source::Untouched => return [0; MAX_ACTIONS],
    };
    let sum: f64 = row.iter().map(|p| p.to_f64()).sum();
    let scaled = row.map(|p| p.to_f64() / sum * f64::from(total));
    let mut rounded = scaled.map(|p| p as u16);
    let missing = usize::from(total) - rounded.iter().map(|&p| usize::from(p)).sum::<usize>();
    let mut by_remainder: [usize; MAX_ACTIONS] = std::array::from_fn(|action| action);
    by_remainder.sort_by(|&a, &b| scaled[b].fract().total_cmp(&scaled[a].fract()));
    by_remainder[..missing].iter().for_each(|&action| rounded[action] += 1);
    rounded
}

/// An exported strategy, mapped and verified.
#[derive(Clone, Debug)]
pub struct Strategy {
    header: StrategyHeader,
    probabilities: MappedSection<u16>,
}

impl Strategy {
    /// Maps a strategy and compares all its checksums.
    ///
    /// # Errors
    /// If it is damaged, of another kind or version, or cannot be read.
    pub fn open(path: impl AsRef<Path>) -> Result<Strategy, CfrError> {
        let container = Container::open(path, STRATEGY)?;
        let header: StrategyHeader = container.header()?;
        let probabilities = MappedSection::new(container.into(), PROBABILITIES, header.slots)?;
        Ok(Strategy { header, probabilities })
    }

    /// What it says about itself.
    pub fn header(&self) -> &StrategyHeader {
        &self.header
    }

    /// The file.
    pub fn container(&self) -> &Container {
        self.probabilities.container()
    }

    /// Refuses a strategy made for something else, naming what differs.
    ///
    /// # Errors
    /// If the game, the rules, the abstraction or the infosets' layout differ.
    pub fn expect(&self, subject: &Subject, infosets: &impl Rows) -> Result<(), CfrError> {
        let path = self.container().path();
        expect_subject(path, &self.header.subject, subject)?;
        expect_layout(path, self.header.layout, Layout::new(infosets, 1)?.fingerprint())
    }

    /// Writes the strategy for another subject that plays each of its rows by a row of this one.
    ///
    /// `translate` is given the first slot of a row of `infosets` and returns that of the row here, and for each action of the
    /// row here the action it is played as; actions that no other is played as are never taken.
    ///
    /// # Errors
    /// If the file cannot be written.
    ///
    /// # Panics
    /// If `translate` names a row that reaches beyond the table.
    pub fn write_translated<'a>(
        &self,
        path: &Path,
        subject: &Subject,
        infosets: &impl Rows,
        translate: impl Fn(u64) -> (u64, &'a [u8]),
    ) -> Result<StrategyHeader, CfrError> {
        let row = |slot: u64| {
            let (as_slot, played_as) = translate(slot);
            let mut row = [0; MAX_ACTIONS];
            for (&probability, &action) in self.probabilities[as_slot as usize..].iter().zip(played_as) {
                row[usize::from(action)] += probability;
            }
            row
        };
        let layout = Layout::new(infosets, 1)?;
        let mut header = StrategyHeader {
            subject: subject.clone(),
            rows: layout.rows(),
            slots: layout.slots(),
            layout: layout.fingerprint(),
            average_rows: 0,
            regret_rows: 0,
            untouched_rows: 0,
            ..self.header.clone()
        };
        infosets.for_each_row(&mut |slot, _| {
            *match row(slot).iter().sum::<u16>() {
                AVERAGE_SUM => &mut header.average_rows,
                0 => &mut header.untouched_rows,
                _ => &mut header.regret_rows,
            } += 1;
        });
        write_rows(path, &header, infosets, |slot, _| row(slot))?;
        Ok(header)
    }

    /// Writes the probabilities of the row of `out.len()` actions that starts at `slot`, and says where they
    /// come from. They sum to one; an untouched row is uniform.
    ///
    /// # Panics
    /// If the row reaches beyond the table.
    pub fn row(&self, slot: u64, out: &mut [f64]) -> Source {
        let row = &self.probabilities[slot as usize..][..out.len()];
        let sum: u32 = row.iter().map(|&p| u32::from(p)).sum();
        if sum == 0 {
            out.fill(1.0 / out.len() as f64);
            return Source::Untouched;
        }
        out.iter_mut().zip(row).for_each(|(out, &p)| *out = f64::from(p) / f64::from(sum));
        if sum == u32::from(AVERAGE_SUM) { Source::Average } else { Source::Regret }
    }
}

impl Policy for Strategy {
    fn probabilities(&self, slot: u64, out: &mut [f64]) {
        self.row(slot, out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantised_rows_sum_exactly_and_stay_close() {
        let rows: &[Row<f64>] = &[
            [1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0, 0.0],
            [1.0, 0.0, 0.0, 0.0],
            [0.5, 0.5, 0.0, 0.0],
            [1e-9, 1.0 - 1e-9, 0.0, 0.0],
            [0.1, 0.2, 0.3, 0.4],
            [0.999_99, 0.000_005, 0.000_005, 0.0],
        ];
        for row in rows {
            for (source, total) in [(Source::Average, 65_535), (Source::Regret, 65_534)] {
                let quantised = quantise(source, row);
                assert_eq!(quantised.iter().map(|&p| u32::from(p)).sum::<u32>(), total, "{row:?}");
                for (&p, q) in row.iter().zip(quantised) {
                    assert!(
                        (p - f64::from(q) / f64::from(total)).abs() <= 1.0 / 65_535.0,
                        "{row:?}: {quantised:?}"
                    );
                    assert!(p > 0.0 || q == 0, "{row:?}: {quantised:?}");
                }
            }
            assert_eq!(quantise(Source::Untouched, row), [0; MAX_ACTIONS]);
        }
        assert_eq!(quantise(Source::Average, &[0.5f32, 0.5, 0.0, 0.0])[..2], [32_768, 32_767]);
    }
}
