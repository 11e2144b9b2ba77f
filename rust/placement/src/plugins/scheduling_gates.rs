//! SchedulingGates: a pod with gates stays out of the queue.

use crate::framework::{Plugin, Rejection, Verdict};
use crate::shape::Shape;

pub struct SchedulingGates;

impl Plugin for SchedulingGates {
    fn name(&self) -> &'static str {
        "SchedulingGates"
    }

    fn pre_enqueue(&self, shape: &Shape) -> Verdict {
        let gates: Vec<&str> = shape
            .spec()
            .scheduling_gates
            .iter()
            .map(|gate| gate.name.as_str())
            .collect();
        if gates.is_empty() {
            return Ok(());
        }
        Err(Rejection::unresolvable(format!(
            "waiting for scheduling gates: [{}]",
            gates.join(" ")
        )))
    }
}
