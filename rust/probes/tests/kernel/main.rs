//! Against this machine's kernel and its real cgroups, as root.

mod machine;
mod values;
mod walks;
