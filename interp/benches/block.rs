//! Speed of the interpreter.
fn main() {}
