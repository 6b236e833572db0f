//! Rules: Kuhn, Leduc and seven-card stud.

pub mod kuhn;
pub mod leduc;
mod removal;
pub mod stud;
