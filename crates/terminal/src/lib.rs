//! The table in the terminal, and drills for dealers.
