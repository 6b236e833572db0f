//! Rules: Kuhn, Leduc and seven-card stud.
