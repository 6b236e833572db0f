//! Rules: Kuhn, Leduc and seven-card stud.

pub mod kuhn;
pub mod leduc;
pub mod stud;
