//! Hands to and from TOML.

use super::{FORMAT, Hand, Recorded, Step, as_table, assumed_rules, code};
use crate::stud::oracle::variant_of_code;
use crate::stud::{Betting, BringIn, Chips, DoubleBet, MAX_PLAYERS, RulesConfig, StudError, toml_fault};
use doorcard_cards::Card;
use toml::{Table, Value};

/// The fields that [`Hand`] has a place for; all others are kept in [`Hand::info`].
const OWN_FIELDS: [&str; 13] = [
    "variant",
    "ante_trimming_status",
    "antes",
    "blinds_or_straddles",
    "bring_in",
    "small_bet",
    "big_bet",
    "min_bet",
    "starting_stacks",
    "actions",
    "finishing_stacks",
    "winnings",
    "_rules",
];

/// Writes a hand as a `.phh` file.
pub fn write(hand: &Hand) -> String {
    toml::to_string(&to_table(hand)).expect("tables of plain values can be written")
}

/// Writes hands as a `.phhs` file: one table per hand, numbered from 1.
pub fn write_many<'a>(hands: impl IntoIterator<Item = &'a Hand>) -> String {
    let numbered = (1..).zip(hands).map(|(number, hand)| write_numbered(number, hand));
    numbered.collect::<Vec<_>>().join("\n")
}

/// Writes one table of a `.phhs` file, for files that grow hand by hand.
pub fn write_numbered(number: u64, hand: &Hand) -> String {
    let table = Table::from_iter([(number.to_string(), Value::Table(to_table(hand)))]);
    toml::to_string(&table).expect("tables of plain values can be written")
}

/// Reads a `.phh` file; `origin` names it in errors.
///
/// # Errors
/// If it is not TOML, or not a stud hand.
pub fn read(text: &str, origin: &str) -> Result<Hand, StudError> {
    from_table(parse(text, origin)?, origin)
}

/// Reads a `.phhs` file: the hands in the order of their numbers.
///
/// # Errors
/// If it is not TOML, a table's name is not a number, or its content not a stud hand.
pub fn read_many(text: &str, origin: &str) -> Result<Vec<Hand>, StudError> {
    let mut numbered = Vec::new();
    for (name, value) in parse(text, origin)? {
        let origin = format!("{origin}, hand {name}");
        let number: u64 =
            name.parse().map_err(|_| fault(&origin, "[...]", "a number as the name of each table"))?;
        let Value::Table(table) = value else {
            return Err(fault(&origin, &name, "a table per hand, as in [1]"));
        };
        numbered.push((number, from_table(table, &origin)?));
    }
    numbered.sort_by_key(|&(number, _)| number);
    Ok(numbered.into_iter().map(|(_, hand)| hand).collect())
}

fn parse(text: &str, origin: &str) -> Result<Table, StudError> {
    text.parse::<Table>()
        .map_err(|e| StudError::Syntax { origin: origin.into(), message: toml_fault(text, &e) })
}

fn fault(origin: &str, field: &str, expected: &str) -> StudError {
    StudError::Record { origin: origin.into(), field: field.into(), expected: expected.into() }
}

fn to_table(hand: &Hand) -> Table {
    let rules = &hand.rules;
    let list = |chips: &[Chips]| Value::Array(chips.iter().map(|&n| Value::Integer(n)).collect());
    let mut table = hand.info.clone();
    table.insert("variant".into(), Value::String(code(rules.betting(), rules.variant()).into()));
    table.insert("ante_trimming_status".into(), Value::Boolean(true));
    table.insert("antes".into(), list(&vec![rules.ante(); hand.stacks.len()]));
    table.insert("bring_in".into(), Value::Integer(rules.bring_in()));
    if rules.betting() == Betting::Limit {
        table.insert("small_bet".into(), Value::Integer(rules.small_bet()));
        table.insert("big_bet".into(), Value::Integer(rules.big_bet()));
    } else {
        table.insert("min_bet".into(), Value::Integer(rules.small_bet()));
    }
    table.insert("starting_stacks".into(), list(&hand.stacks));
    let actions = hand.steps.iter().map(|step| Value::String(write_step(step))).collect();
    table.insert("actions".into(), Value::Array(actions));
    if let Some(stacks) = &hand.finishing_stacks {
        table.insert("finishing_stacks".into(), list(stacks));
    }
    if let Some(winnings) = &hand.winnings {
        table.insert("winnings".into(), list(winnings));
    }
    let assumed = as_table(hand.assumed_rules());
    let mut special = as_table(rules.config());
    special.retain(|key, value| assumed.get(key) != Some(value));
    if !special.is_empty() {
        table.insert("_rules".into(), Value::Table(special));
    }
    table
}

fn from_table(mut table: Table, origin: &str) -> Result<Hand, StudError> {
    let variant = text_field(&table, origin, "variant")?;
    let (betting, variant) =
        variant_of_code(&variant).ok_or_else(|| fault(origin, "variant", "F7S, F7S/8 or FR"))?;
    let stacks = chips_list(&table, origin, "starting_stacks")?
        .ok_or_else(|| fault(origin, "starting_stacks", "a list of chips"))?;
    if !(2..=MAX_PLAYERS).contains(&stacks.len()) {
        return Err(fault(origin, "starting_stacks", "2 to 8 players"));
    }
    let antes =
        chips_list(&table, origin, "antes")?.ok_or_else(|| fault(origin, "antes", "a list of chips"))?;
    if antes.len() != stacks.len() || antes.iter().any(|&ante| ante != antes[0]) {
        return Err(fault(origin, "antes", "the same ante for every player"));
    }
    if chips_list(&table, origin, "blinds_or_straddles")?.is_some_and(|blinds| blinds.iter().any(|&n| n != 0))
    {
        return Err(fault(origin, "blinds_or_straddles", "none in stud"));
    }
    let trimmed = table.get("ante_trimming_status").is_some_and(|value| value.as_bool() == Some(true));
    if !trimmed && stacks.iter().any(|&stack| stack < antes[0]) {
        return Err(fault(origin, "ante_trimming_status", "true where a stack is below the ante"));
    }
    let chips = |field| chips_field(&table, origin, field);
    let (small, big) = match betting {
        Betting::Limit => (chips("small_bet")?, Some(chips("big_bet")?)),
        _ => (chips("min_bet")?, None),
    };
    let bring_in = BringIn::Chips(chips("bring_in")?);
    let stakes =
        RulesConfig { big_bet: big, ..RulesConfig::new(variant, betting, antes[0], bring_in, small) };
    let stakes = RulesConfig { fourth_street_double_bet: Some(DoubleBet::Off), ..stakes };
    let assumed = assumed_rules(&stakes.check(origin)?, &stacks);
    let rules = match table.get("_rules") {
        None => assumed,
        Some(Value::Table(special)) => {
            let mut merged = as_table(assumed);
            merged.extend(special.clone());
            merged.try_into().map_err(|e: toml::de::Error| fault(origin, "_rules", e.message()))?
        }
        Some(_) => return Err(fault(origin, "_rules", "a table of rules")),
    };
    let steps = read_steps(&table, origin, stacks.len())?;
    let result = |field| match chips_list(&table, origin, field)? {
        Some(list) if list.len() != stacks.len() => Err(fault(origin, field, "one number per player")),
        list => Ok(list),
    };
    let (finishing_stacks, winnings) = (result("finishing_stacks")?, result("winnings")?);
    table.retain(|key, _| !OWN_FIELDS.contains(&key));
    let rules = rules.check(origin)?;
    rules.require_standard(FORMAT)?;
    Ok(Hand { rules, stacks, steps, finishing_stacks, winnings, info: table })
}

fn text_field(table: &Table, origin: &str, field: &str) -> Result<String, StudError> {
    let text = table.get(field).and_then(Value::as_str);
    text.map(String::from).ok_or_else(|| fault(origin, field, "a text"))
}

fn whole(value: &Value, origin: &str, field: &str) -> Result<Chips, StudError> {
    value.as_integer().ok_or_else(|| fault(origin, field, "a whole number of chips (write cents)"))
}

fn chips_field(table: &Table, origin: &str, field: &str) -> Result<Chips, StudError> {
    whole(table.get(field).ok_or_else(|| fault(origin, field, "a number of chips"))?, origin, field)
}

fn chips_list(table: &Table, origin: &str, field: &str) -> Result<Option<Vec<Chips>>, StudError> {
    match table.get(field) {
        None => Ok(None),
        Some(Value::Array(values)) => {
            values.iter().map(|value| whole(value, origin, field)).collect::<Result<_, _>>().map(Some)
        }
        Some(_) => Err(fault(origin, field, "a list of chips")),
    }
}

fn read_steps(table: &Table, origin: &str, players: usize) -> Result<Vec<Step>, StudError> {
    let missing = || fault(origin, "actions", "a list of actions");
    let actions = table.get("actions").and_then(Value::as_array).ok_or_else(missing)?;
    let mut steps = Vec::with_capacity(actions.len());
    for (i, action) in actions.iter().enumerate() {
        let text = action.as_str().ok_or_else(missing)?;
        let (words, note) = match text.split_once('#') {
            Some((words, note)) => (words, Some(note.trim())),
            None => (text, None),
        };
        let words: Vec<&str> = words.split_whitespace().collect();
        if !words.is_empty() {
            let step = read_step(&words, players).ok_or_else(|| {
                let field = format!("actions[{i}] = '{text}'");
                fault(
                    origin,
                    &field,
                    "d dh pN CARDS, d db CARD, pN pb, pN f, pN cc, pN cbr CHIPS or pN sm [CARDS]",
                )
            })?;
            steps.push(step);
        }
        steps.extend(note.map(|note| Step::Note(note.into())));
    }
    Ok(steps)
}

fn read_step(words: &[&str], players: usize) -> Option<Step> {
    let seat = |word: &str| {
        let number: usize = word.strip_prefix('p')?.parse().ok()?;
        (1..=players).contains(&number).then(|| number - 1)
    };
    Some(match *words {
        ["d", "dh", player, cards] => Step::Deal(seat(player)?, read_cards(cards)?),
        ["d", "db", card] => match read_cards(card)?[..] {
            [card] => Step::Board(card),
            _ => return None,
        },
        [player, "pb"] => Step::Act(seat(player)?, Recorded::BringIn),
        [player, "f"] => Step::Act(seat(player)?, Recorded::Fold),
        [player, "cc"] => Step::Act(seat(player)?, Recorded::CheckOrCall),
        [player, "cbr", to] => Step::Act(seat(player)?, Recorded::RaiseTo(to.parse().ok()?)),
        [player, "sm"] => Step::Show(seat(player)?, None),
        [player, "sm", cards] => Step::Show(seat(player)?, Some(read_cards(cards)?)),
        _ => return None,
    })
}

/// Cards without spaces; `??` is an unknown one.
fn read_cards(text: &str) -> Option<Vec<Option<Card>>> {
    if text.is_empty() || !text.is_ascii() {
        return None;
    }
    let card = |pair: &[u8]| match pair {
        b"??" => Some(None),
        pair => std::str::from_utf8(pair).ok()?.parse().ok().map(Some),
    };
    text.as_bytes().chunks(2).map(card).collect()
}

/// A step in the notation of the format.
pub(super) fn write_step(step: &Step) -> String {
    let text = |cards: &[Option<Card>]| -> String {
        cards.iter().map(|card| card.map_or("??".into(), |card| card.to_string())).collect()
    };
    match step {
        Step::Deal(seat, cards) => format!("d dh p{} {}", seat + 1, text(cards)),
        Step::Board(card) => format!("d db {}", text(&[*card])),
        Step::Act(seat, Recorded::Fold) => format!("p{} f", seat + 1),
        Step::Act(seat, Recorded::CheckOrCall) => format!("p{} cc", seat + 1),
        Step::Act(seat, Recorded::BringIn) => format!("p{} pb", seat + 1),
        Step::Act(seat, Recorded::RaiseTo(to)) => format!("p{} cbr {to}", seat + 1),
        Step::Show(seat, None) => format!("p{} sm", seat + 1),
        Step::Show(seat, Some(cards)) => format!("p{} sm {}", seat + 1, text(cards)),
        Step::Note(note) => format!("# {note}"),
    }
}
