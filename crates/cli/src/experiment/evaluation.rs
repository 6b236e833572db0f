//! The fourth step: matches of the trained strategy against the bots.

use super::{Experiment, Outcome, RunDir, judged_strategy, write_whole};
use crate::contest::{Contest, Judged};
use crate::error::CliError;
use crate::hands_out::HandWriter;
use crate::ledger::Sink;
use crate::output::to_json;
use crate::players;
use doorcard_cfr::Strategy;
use doorcard_eval::match_play::Schedule;
use doorcard_games::stud::StudTable;
use doorcard_report::MatchReport;
use std::fs;

/// Decks of each match of which the hands are kept.
const SAMPLE: u64 = 50;

/// Plays the matches that are not there yet and adds these to the ledger. Results come in the order of the configuration.
pub(crate) fn evaluate(
    experiment: &Experiment,
    run: &RunDir,
    ledger: &mut Sink,
) -> Result<(Vec<MatchReport>, Outcome), CliError> {
    let path = judged_strategy(experiment, run)?;
    let fingerprint = format!("{:016x}", Strategy::open(&path)?.container().fingerprint());
    fs::create_dir_all(run.matches()).map_err(CliError::io(&run.matches(), "create"))?;
    let table = StudTable::with_players(&experiment.judged_in().rules, 2)?;
    let mut outcome = Outcome::Reused;
    let mut reports = Vec::new();
    for bot in &experiment.evaluation.bots {
        let file = run.match_with(bot);
        let report = match played(experiment, bot, &file, &fingerprint)? {
            Some(report) => report,
            None => {
                outcome = Outcome::Done;
                let strategy = players::load(&format!("strategy:{}", path.display()), &table)?;
                let contest = Contest {
                    game: experiment.judged_in(),
                    table: &table,
                    players: &[strategy.called(&experiment.name), players::load(bot, &table)?],
                    schedule: Schedule::one_table(2),
                    deals: experiment.evaluation.duplicates,
                    seed: experiment.evaluation.seed,
                    judged: Judged::default(),
                };
                let keep_deals = ledger.wants_observations(contest.observations());
                let mut played = contest.play(&format!("vs {bot}"), None, keep_deals)?;
                if !played.complete || !sample(&contest, bot, run)? {
                    let message = "stopped; the matches played so far are kept. Go on with the same command";
                    return Err(CliError::Interrupted(message.into()));
                }
                // Before the file, which keeps the match from being played again.
                ledger.add(&contest.entries(&played));
                played.report.strategy = Some(fingerprint.clone());
                write_whole(&file, to_json(&played.report).as_bytes())?;
                played.report
            }
        };
        reports.push(report);
    }
    Ok((reports, outcome))
}

/// Writes the first hands of a match, as they were played in it. Returns whether all were written before Ctrl-C.
fn sample(contest: &Contest<'_>, bot: &str, run: &RunDir) -> Result<bool, CliError> {
    fs::create_dir_all(run.hands()).map_err(CliError::io(&run.hands(), "create"))?;
    let mut writer = HandWriter::create(&run.hands().join(format!("{bot}.phhs")), contest.table.rules())?;
    let sample = Contest { deals: contest.deals.min(SAMPLE), schedule: contest.schedule.clone(), ..*contest };
    let played = sample.play("hands", Some(&mut writer), false)?;
    writer.finish()?;
    Ok(played.complete)
}

/// The match with a bot that was played before, if it was with this strategy and these settings, and by this version of
/// the program, for bots may play otherwise in another. Any other is played again.
fn played(
    experiment: &Experiment,
    bot: &str,
    file: &std::path::Path,
    fingerprint: &str,
) -> Result<Option<MatchReport>, CliError> {
    if !file.exists() {
        return Ok(None);
    }
    let report = MatchReport::load(file)?;
    let same = report.version == env!("CARGO_PKG_VERSION")
        && report.strategy.as_deref() == Some(fingerprint)
        && report.table.first().is_some_and(|row| row.bot == experiment.name && row.opponents == [bot])
        && report.seed == experiment.evaluation.seed
        && report.hands == 2 * experiment.evaluation.duplicates
        && report.game == experiment.judged_in().name;
    Ok(same.then_some(report))
}
