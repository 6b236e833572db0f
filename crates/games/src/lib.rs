//! Rules: Kuhn, Leduc and seven-card stud.

pub mod stud;
