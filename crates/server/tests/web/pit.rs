//! The pit.
