//! The games that can be solved: each with its forms, its infosets and how a strategy of it is measured.

use super::Units;
use super::config::{Algorithm, Form, Precision, SolveConfig, Walk};
use super::dir::SolveDir;
use super::run::{self, Budget, Measures, Session};
use super::work::{ExactWork, Work};
use crate::error::CliError;
use crate::game::{self, NamedRules};
use doorcard_abstraction::{CardLabels, LabelInfosets};
use doorcard_cfr::exact::{
    CfrBr, Chance, ExactCheckpoint, ExactConfig, ExactSettings, FullTree, Solver, Traversal, Vector,
};
use doorcard_cfr::sampling::Sampling;
use doorcard_cfr::{Checkpoint, Real, Subject, TrainConfig, Trainer};
use doorcard_efg::{EnumerableGame, Infosets, Policy, PublicGame, PublicInfosets};
use doorcard_eval::exploitability::{abstract_exploitability, exploitability};
use doorcard_eval::public;
use doorcard_games::kuhn::{Kuhn, KuhnInfosets, PublicKuhn};
use doorcard_games::leduc::{Leduc, LeducInfosets, PublicLeduc};
use doorcard_games::stud::tree::{HistoryDetail, PublicStud, StudTree};
use doorcard_games::stud::{PROFILES, Rules, StudTable, TableInfosets};
use std::path::Path;

/// A game to be solved.
pub(crate) enum SmallGame {
    Kuhn(usize),
    Leduc,
    Stud { rules: Box<Rules>, cards: CardLabels },
}

/// What a session is given besides the game.
pub(crate) struct Order<'a> {
    pub(crate) config: &'a SolveConfig,
    pub(crate) budget: Budget,
    pub(crate) threads: usize,
    pub(crate) max_memory: u64,
}

/// What a session found.
pub(crate) struct Solved {
    pub(crate) infosets: u64,
    pub(crate) session: Session,
}

/// The rows of a game that both forms share, and whether they are an abstraction.
struct Rowed<'a, I> {
    infosets: &'a I,
    subject: Subject,
    abstraction: bool,
}

/// The most players of Kuhn poker whose deals, 40,320 of them, are walked in a second.
const MOST_PLAYERS: usize = 7;

/// What players see of a card where nothing else is asked for: the card.
pub(crate) const LOSSLESS: &str = "lossless";

impl SmallGame {
    /// A game by its name, a profile's name or a rules file, and the name it goes by in results.
    ///
    /// # Errors
    /// If there is no such game, it is too large, or has no cards to be seen as `cards` says.
    pub(crate) fn load(text: &str, cards: &str) -> Result<(String, SmallGame), CliError> {
        let kuhn = |players: &str| match players {
            "" => Some(2),
            digits => digits
                .parse()
                .ok()
                .filter(|n: &usize| (2..=MOST_PLAYERS).contains(n) && n.to_string() == digits),
        };
        let plain = match text.strip_prefix("kuhn").map(kuhn) {
            Some(Some(players)) => Some(SmallGame::Kuhn(players)),
            Some(None) => {
                return Err(CliError::Usage(format!(
                    "{text}: expected kuhn, or kuhn3 to kuhn{MOST_PLAYERS}"
                )));
            }
            None if text == "leduc" => Some(SmallGame::Leduc),
            None => None,
        };
        match plain {
            Some(_) if cards != LOSSLESS => Err(CliError::Usage(format!(
                "--cards {cards}: only stud has card abstractions here; {text} is lossless"
            ))),
            Some(game) => Ok((text.into(), game)),
            None => {
                if !game::is_path(text) && Rules::named(text).is_err() {
                    let message =
                        format!("'{text}': expected {}, or the path of a rules file", small_games());
                    return Err(CliError::Usage(message));
                }
                let NamedRules { name, rules } = game::load(text)?;
                if rules.is_standard() {
                    return Err(CliError::Usage(format!(
                        "{text}: too large to be solved by walking all of it; `doorcard train` trains on an abstraction. \
                         Games small enough: {}",
                        small_games()
                    )));
                }
                let cards = CardLabels::named(cards)?;
                if rules.seats() > 2 && cards.name() != LOSSLESS {
                    let message =
                        format!("--cards {}: games of more than two seats are lossless here", cards.name());
                    return Err(CliError::Usage(message));
                }
                Ok((name, SmallGame::Stud { rules: Box::new(rules), cards }))
            }
        }
    }

    /// The rules of a stud game as a rules file.
    pub(crate) fn rules(&self) -> Option<String> {
        match self {
            SmallGame::Stud { rules, .. } => Some(rules.to_toml()),
            _ => None,
        }
    }

    /// What players see of a card.
    pub(crate) fn cards(&self) -> String {
        match self {
            SmallGame::Stud { cards, .. } => cards.name().into(),
            _ => LOSSLESS.into(),
        }
    }

    /// One line for people.
    pub(crate) fn describe(&self) -> String {
        match self {
            SmallGame::Kuhn(players) => format!("Kuhn poker, {players} players, ante 1, bet 1"),
            SmallGame::Leduc => "Leduc hold'em, 2 players, ante 1, raises 2 and 4".into(),
            SmallGame::Stud { rules, .. } => game::describe(rules, rules.seats()),
        }
    }

    /// The units of its figures.
    pub(crate) fn units(&self) -> Units {
        match self {
            SmallGame::Stud { rules, .. } => Units { small_bet: Some(rules.small_bet()) },
            _ => Units { small_bet: None },
        }
    }

    /// How many play.
    pub(crate) fn players(&self) -> usize {
        match self {
            SmallGame::Kuhn(players) => *players,
            SmallGame::Leduc => 2,
            SmallGame::Stud { rules, .. } => rules.seats(),
        }
    }

    /// Solves it as ordered.
    pub(crate) fn solve(&self, order: &Order<'_>, dir: Option<&mut SolveDir>) -> Result<Solved, CliError> {
        let subject = || Subject {
            game: order.config.game.clone(),
            rules: order.config.rules.clone().unwrap_or_default(),
            abstraction: order.config.cards.clone(),
            abstraction_fingerprint: 0,
        };
        match self {
            SmallGame::Kuhn(players) => {
                let game = Kuhn::new(*players);
                let infosets = KuhnInfosets::new(&game);
                let rowed = Rowed { infosets: &infosets, subject: subject(), abstraction: false };
                match PublicKuhn::new(&game) {
                    Some(public) => two_players(&game, &public, &rowed, order, dir),
                    None => many_players(&game, &rowed, order, dir),
                }
            }
            SmallGame::Leduc => {
                let game = Leduc::new();
                let (public, infosets) = (PublicLeduc::new(&game), LeducInfosets::new(&game));
                let rowed = Rowed { infosets: &infosets, subject: subject(), abstraction: false };
                two_players(&game, &public, &rowed, order, dir)
            }
            SmallGame::Stud { rules, cards } if rules.seats() == 2 => {
                let game = PublicStud::new(StudTree::new(**rules, HistoryDetail::Full)?)?;
                let infosets = LabelInfosets::new(&game, cards.clone());
                let subject = Subject { abstraction_fingerprint: cards.fingerprint(), ..subject() };
                let abstraction = cards.name() != LOSSLESS;
                let rowed = Rowed { infosets: &infosets, subject, abstraction };
                two_players(game.game(), &game, &rowed, order, dir)
            }
            SmallGame::Stud { rules, .. } => {
                let game = StudTable::with_players(rules, rules.seats())?;
                let infosets = TableInfosets::new(&game)?;
                let rowed = Rowed { infosets: &infosets, subject: subject(), abstraction: false };
                many_players(&game, &rowed, order, dir)
            }
        }
    }
}

/// The games that can be solved, by name.
fn small_games() -> String {
    let small = |name: &&str| Rules::named(name).is_ok_and(|rules| !rules.is_standard());
    let mut names = vec!["kuhn".into(), format!("kuhn3 to kuhn{MOST_PLAYERS}"), "leduc".into()];
    names.extend(PROFILES.iter().map(|(name, _)| *name).filter(small).map(String::from));
    names.join(", ")
}

/// Solves a game that has both forms.
fn two_players<G, P, I>(
    game: &G,
    public: &P,
    rowed: &Rowed<'_, I>,
    order: &Order<'_>,
    dir: Option<&mut SolveDir>,
) -> Result<Solved, CliError>
where
    G: EnumerableGame,
    P: PublicGame,
    I: Infosets<G> + PublicInfosets<P>,
{
    let real = |policy: &dyn Policy| Ok(public::exploitability(public, rowed.infosets, policy)?);
    let inside = |policy: &dyn Policy| Ok(abstract_exploitability(game, rowed.infosets, policy)?);
    let abstracted = rowed.abstraction.then_some(&inside as &run::Measure<'_>);
    let measures = Measures { real: &real, abstracted };
    let latest = dir.as_ref().map_or(Ok(None), |dir| dir.latest())?;
    let existing = latest.as_deref();
    let mut work = match order.config.precision {
        Precision::F32 => two_player_work::<f32, G, P, I>(game, public, rowed, order, existing)?,
        Precision::F64 => two_player_work::<f64, G, P, I>(game, public, rowed, order, existing)?,
    };
    let session = run::run(&mut *work, &measures, order.budget, dir)?;
    Ok(Solved { infosets: rowed.infosets.rows(), session })
}

fn two_player_work<'a, T, G, P, I>(
    game: &'a G,
    public: &'a P,
    rowed: &'a Rowed<'a, I>,
    order: &Order<'_>,
    existing: Option<&Path>,
) -> Result<Box<dyn Work + 'a>, CliError>
where
    T: Real,
    G: EnumerableGame,
    P: PublicGame,
    I: Infosets<G> + PublicInfosets<P>,
{
    let (infosets, subject) = (rowed.infosets, &rowed.subject);
    match (order.config.algorithm.walk(), order.config.form) {
        (Walk::Full, Form::History) => exact::<T, _>(FullTree::new(game, infosets), subject, order, existing),
        (Walk::Full, Form::Public) => {
            exact::<T, _>(Vector::new(public, infosets, Chance::Enumerated), subject, order, existing)
        }
        (Walk::PublicChance, _) => {
            exact::<T, _>(Vector::new(public, infosets, Chance::Sampled), subject, order, existing)
        }
        (Walk::BestResponse, _) => exact::<T, _>(CfrBr::new(public, infosets), subject, order, existing),
        (Walk::Sampled, _) => sampled::<T, G, I>(game, infosets, subject, order, existing),
    }
}

/// Solves a game in history form alone.
fn many_players<G: EnumerableGame, I: Infosets<G>>(
    game: &G,
    rowed: &Rowed<'_, I>,
    order: &Order<'_>,
    dir: Option<&mut SolveDir>,
) -> Result<Solved, CliError> {
    let real = |policy: &dyn Policy| Ok(exploitability(game, rowed.infosets, policy)?);
    let measures = Measures { real: &real, abstracted: None };
    let latest = dir.as_ref().map_or(Ok(None), |dir| dir.latest())?;
    let existing = latest.as_deref();
    let mut work = match order.config.precision {
        Precision::F32 => many_player_work::<f32, G, I>(game, rowed, order, existing)?,
        Precision::F64 => many_player_work::<f64, G, I>(game, rowed, order, existing)?,
    };
    let session = run::run(&mut *work, &measures, order.budget, dir)?;
    Ok(Solved { infosets: rowed.infosets.rows(), session })
}

fn many_player_work<'a, T: Real, G: EnumerableGame, I: Infosets<G>>(
    game: &'a G,
    rowed: &'a Rowed<'a, I>,
    order: &Order<'_>,
    existing: Option<&Path>,
) -> Result<Box<dyn Work + 'a>, CliError> {
    match order.config.algorithm.walk() {
        Walk::Sampled => sampled::<T, G, I>(game, rowed.infosets, &rowed.subject, order, existing),
        _ => exact::<T, _>(FullTree::new(game, rowed.infosets), &rowed.subject, order, existing),
    }
}

fn exact<'a, T: Real, V: Traversal + 'a>(
    traversal: V,
    subject: &Subject,
    order: &Order<'_>,
    existing: Option<&Path>,
) -> Result<Box<dyn Work + 'a>, CliError> {
    let SolveConfig { rule, updates, seed, algorithm, .. } = *order.config;
    let settings = ExactSettings { rule, updates: updates.unwrap_or_default(), seed };
    let config = ExactConfig { settings, threads: order.threads, max_memory: order.max_memory };
    let solver = match existing {
        None => Solver::new(traversal, subject.clone(), config)?,
        Some(path) => {
            Solver::resume(traversal, subject.clone(), config, &opened(path, ExactCheckpoint::open)?)?
        }
    };
    Ok(Box::new(ExactWork::<V, T> { solver, exact: algorithm.walk() == Walk::Full }))
}

fn sampled<'a, T: Real, G: EnumerableGame, I: Infosets<G>>(
    game: &'a G,
    infosets: &'a I,
    subject: &Subject,
    order: &Order<'_>,
    existing: Option<&Path>,
) -> Result<Box<dyn Work + 'a>, CliError> {
    let defaults = TrainConfig::default();
    let asked = order.config.sampling.expect("sampled algorithms have settings");
    let config = TrainConfig {
        iterations: u64::MAX,
        batch: asked.batch,
        sampling: match order.config.algorithm {
            Algorithm::Outcome => Sampling::Outcome,
            _ => Sampling::External,
        },
        exploration: asked.exploration.unwrap_or(defaults.exploration),
        baseline: asked.baseline,
        prune: asked.prune,
        seed: order.config.seed,
        rule: order.config.rule,
        threads: order.threads,
        max_memory: order.max_memory,
        ..defaults
    };
    Ok(match existing {
        None => Box::new(Trainer::<G, I, T>::new(game, infosets, subject.clone(), config)?),
        Some(path) => {
            let checkpoint = opened(path, Checkpoint::open)?;
            Box::new(Trainer::<G, I, T>::resume(game, infosets, subject.clone(), config, &checkpoint)?)
        }
    })
}

/// Opens the newest checkpoint, or says how to go on from the one before.
fn opened<'p, C>(
    path: &'p Path,
    open: impl FnOnce(&'p Path) -> Result<C, doorcard_cfr::CfrError>,
) -> Result<C, CliError> {
    open(path).map_err(|error| CliError::Mismatch {
        path: path.to_path_buf(),
        message: format!("{error}. Delete this file to go on from the checkpoint before it"),
    })
}
