//! Congestion controls under real connections of noq over a simulated link.

mod c4;
mod end;
mod link;
mod paced;
