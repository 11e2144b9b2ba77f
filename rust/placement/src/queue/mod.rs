//! The scheduling queue: pods ready to be decided on, pods backing off, pods waiting for an event that may help them.
//!
//! Times are nanoseconds on a clock of the caller's choice; the queue reads none.

mod event;
mod hints;

use std::collections::BTreeMap;
use std::sync::Arc;

pub use event::{Event, NodeChange, PodChange, PodFacts, node_changes, pod_changes};
pub use hints::facts;

use crate::api::{Labels, Node, Pod};
use crate::engine::Engine;
use crate::error::Result;
use crate::shape::Shape;
use crate::snapshot::Snapshot;
use hints::Waiting;

/// Ends of back-off are cut to whole windows of this length, so that pods leave in few groups.
const WINDOW: i64 = SECOND;
const SECOND: i64 = 1_000_000_000;

#[derive(Clone, Copy, Debug)]
pub struct Timing {
    pub initial_backoff: i64,
    pub max_backoff: i64,
    /// How long a pod waits for an event before it is tried anyway.
    pub max_in_unschedulable: i64,
}

impl Default for Timing {
    fn default() -> Self {
        Self {
            initial_backoff: SECOND,
            max_backoff: 10 * SECOND,
            max_in_unschedulable: 300 * SECOND,
        }
    }
}

/// Where a pod is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Active,
    Backoff,
    /// Waits for an event; kept out by a gate when `gate` is set.
    Unschedulable,
    /// Popped and not yet reported back.
    InFlight,
}

struct Queued {
    facts: PodFacts,
    shape: Arc<Shape>,
    place: Place,
    /// When it was added or last failed; orders pods of one priority.
    timestamp: i64,
    attempts: u32,
    rejections: u32,
    errors: u32,
    /// Plugins that rejected it last time.
    plugins: Vec<String>,
    gate: Option<&'static str>,
    /// Events since it was popped.
    missed: Vec<Event>,
}

impl Queued {
    fn order(&self) -> (std::cmp::Reverse<i32>, i64) {
        (std::cmp::Reverse(self.shape.priority), self.timestamp)
    }
}

/// A popped pod.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Popped {
    pub key: String,
    pub attempts: u32,
}

/// Names of pods by place, for people and tests.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct QueueState {
    pub active: Vec<String>,
    /// Pod -> end of its back-off.
    pub backoff: BTreeMap<String, i64>,
    pub unschedulable: Vec<String>,
    /// Pod -> the plugin that keeps it out.
    pub gated: BTreeMap<String, String>,
}

pub struct Queue {
    timing: Timing,
    pods: BTreeMap<String, Queued>,
}

impl Queue {
    pub fn new(timing: Timing) -> Self {
        Self {
            timing,
            pods: BTreeMap::new(),
        }
    }

    /// A new waiting pod.
    ///
    /// # Errors
    /// A scheduler name without a profile.
    pub fn add(&mut self, engine: &mut Engine, pod: Pod, now: i64) -> Result<()> {
        let shape = engine.snapshot.shape_of(pod.clone());
        engine.gate_of(&shape)?;
        let facts = facts(pod);
        let key = facts.key.clone();
        let queued = Queued {
            facts,
            shape,
            place: Place::Unschedulable,
            timestamp: now,
            attempts: 0,
            rejections: 0,
            errors: 0,
            plugins: Vec::new(),
            gate: None,
            missed: Vec::new(),
        };
        self.pods.insert(key.clone(), queued);
        self.activate_unless_gated(engine, &key);
        Ok(())
    }

    /// The first pod to decide on; one that backs off after a rejection when nothing else is ready.
    pub fn pop(&mut self) -> Option<Popped> {
        let timing = self.timing;
        let in_place = |place| {
            self.pods
                .values()
                .filter(move |queued| queued.place == place)
        };
        let active = in_place(Place::Active).min_by_key(|queued| queued.order());
        let rejected = || in_place(Place::Backoff).filter(|queued| queued.errors == 0);
        let next = active.or_else(|| {
            rejected().min_by_key(|queued| (backoff_end(queued, timing), queued.order()))
        })?;
        let key = next.facts.key.clone();
        let queued = self.pods.get_mut(&key)?;
        queued.place = Place::InFlight;
        queued.attempts += 1;
        queued.plugins.clear();
        queued.missed.clear();
        Some(Popped {
            key,
            attempts: queued.attempts,
        })
    }

    /// A popped pod could not be placed: these plugins rejected it; none means an internal error.
    pub fn fail(&mut self, engine: &Engine, key: &str, plugins: Vec<String>, now: i64) {
        let Some(queued) = self
            .pods
            .get_mut(key)
            .filter(|queued| queued.place == Place::InFlight)
        else {
            return;
        };
        if plugins.is_empty() {
            queued.errors += 1;
        } else {
            queued.rejections += 1;
            queued.errors = 0;
        }
        queued.timestamp = now;
        queued.plugins = plugins;
        let missed = std::mem::take(&mut queued.missed);
        let helped = queued.plugins.is_empty()
            || missed
                .iter()
                .any(|event| helps(&engine.snapshot, queued, event));
        queued.place = Place::Unschedulable;
        if helped {
            self.requeue(engine, key, now);
        }
    }

    /// A pod was placed, or is gone.
    pub fn remove(&mut self, key: &str) {
        self.pods.remove(key);
    }

    /// A new version of a waiting pod; one that is not known is added.
    ///
    /// # Errors
    /// A scheduler name without a profile.
    pub fn update(&mut self, engine: &mut Engine, pod: Pod, now: i64) -> Result<()> {
        let key = pod.metadata.key();
        let Some(before) = self.pods.get(&key).map(|queued| queued.facts.clone()) else {
            return self.add(engine, pod, now);
        };
        let shape = engine.snapshot.shape_of(pod.clone());
        let after = facts(pod);
        let changes = pod_changes(&before.pod, &after.pod);
        let Some(queued) = self.pods.get_mut(&key) else {
            return Ok(());
        };
        (queued.facts, queued.shape) = (after.clone(), shape);
        let event = |change| Event::PodUpdate {
            change,
            before: before.clone(),
            after: after.clone(),
        };
        match queued.place {
            Place::InFlight => self.remember(changes.into_iter().map(event)),
            Place::Unschedulable => {
                for change in changes {
                    let helped = self
                        .pods
                        .get(&key)
                        .is_some_and(|queued| helps(&engine.snapshot, queued, &event(change)));
                    if helped && self.requeue(engine, &key, now) {
                        break;
                    }
                }
            }
            Place::Active | Place::Backoff => {}
        }
        Ok(())
    }

    /// Asks for a pod to be tried now.
    pub fn activate(&mut self, engine: &Engine, key: &str) {
        match self.pods.get(key).map(|queued| queued.place) {
            Some(Place::Unschedulable) => self.activate_unless_gated(engine, key),
            Some(Place::Backoff) => self.set_active(key),
            Some(Place::InFlight) => self.remember(std::iter::once(Event::Any)),
            Some(Place::Active) | None => {}
        }
    }

    pub fn node_added(&mut self, engine: &Engine, node: Node, now: i64) {
        let event = Event::Node {
            change: NodeChange::Add,
            before: None,
            after: Arc::new(node),
        };
        self.move_helped(engine, event, now);
    }

    /// Returns the names of the events that the update is.
    pub fn node_updated(
        &mut self,
        engine: &Engine,
        before: Node,
        after: Node,
        now: i64,
    ) -> Vec<&'static str> {
        let changes = node_changes(&before, &after);
        let (before, after) = (Arc::new(before), Arc::new(after));
        for change in &changes {
            let event = Event::Node {
                change: *change,
                before: Some(Arc::clone(&before)),
                after: Arc::clone(&after),
            };
            self.move_helped(engine, event, now);
        }
        changes.into_iter().map(NodeChange::name).collect()
    }

    /// A pod is on a node now.
    pub fn assigned_pod_added(&mut self, engine: &Engine, pod: Pod, now: i64) {
        self.move_helped(engine, Event::AssignedPodAdd(facts(pod)), now);
    }

    /// A pod left its node.
    pub fn assigned_pod_deleted(&mut self, engine: &Engine, pod: Pod, now: i64) {
        self.move_helped(engine, Event::AssignedPodDelete(facts(pod)), now);
    }

    /// Lets pods go whose back-off is over.
    pub fn flush_backoff(&mut self, now: i64) {
        let timing = self.timing;
        let over = self
            .pods
            .values()
            .filter(|queued| queued.place == Place::Backoff && !backs_off(queued, timing, now));
        let keys: Vec<String> = over.map(|queued| queued.facts.key.clone()).collect();
        for key in keys {
            self.set_active(&key);
        }
    }

    /// Lets pods go that have waited too long for an event.
    pub fn flush_unschedulable(&mut self, engine: &Engine, now: i64) {
        let waits = |queued: &&Queued| {
            queued.place == Place::Unschedulable
                && now - queued.timestamp > self.timing.max_in_unschedulable
        };
        let keys: Vec<String> = self
            .pods
            .values()
            .filter(waits)
            .map(|queued| queued.facts.key.clone())
            .collect();
        for key in &keys {
            self.requeue(engine, key, now);
        }
        if !keys.is_empty() {
            self.remember(std::iter::once(Event::Any));
        }
    }

    pub fn state(&self) -> QueueState {
        let mut state = QueueState::default();
        for (key, queued) in &self.pods {
            match (queued.place, queued.gate) {
                (Place::Active, _) => state.active.push(key.clone()),
                (Place::Backoff, _) => {
                    state
                        .backoff
                        .insert(key.clone(), backoff_end(queued, self.timing).unwrap_or(0));
                }
                (Place::Unschedulable, Some(gate)) => {
                    state.gated.insert(key.clone(), gate.to_owned());
                }
                (Place::Unschedulable, None) => state.unschedulable.push(key.clone()),
                (Place::InFlight, _) => {}
            }
        }
        state
    }

    /// Moves the waiting pods that the event may help, and keeps it for those in flight.
    fn move_helped(&mut self, engine: &Engine, event: Event, now: i64) {
        let helped = |queued: &&Queued| {
            queued.place == Place::Unschedulable
                && queued.gate.is_none()
                && is_concerned(&engine.snapshot, queued, &event)
                && helps(&engine.snapshot, queued, &event)
        };
        let keys: Vec<String> = self
            .pods
            .values()
            .filter(helped)
            .map(|queued| queued.facts.key.clone())
            .collect();
        for key in keys {
            self.requeue(engine, &key, now);
        }
        self.remember(std::iter::once(event));
    }

    fn remember(&mut self, events: impl Iterator<Item = Event>) {
        let events: Vec<Event> = events.collect();
        for queued in self
            .pods
            .values_mut()
            .filter(|queued| queued.place == Place::InFlight)
        {
            queued.missed.extend(events.iter().cloned());
        }
    }

    /// Back to the ready pods, or to those backing off; false when a gate keeps the pod out.
    fn requeue(&mut self, engine: &Engine, key: &str, now: i64) -> bool {
        let timing = self.timing;
        let Some(queued) = self.pods.get_mut(key) else {
            return false;
        };
        queued.gate = engine.gate_of(&queued.shape).ok().flatten();
        if queued.gate.is_some() {
            return false;
        }
        queued.place = if backs_off(queued, timing, now) {
            Place::Backoff
        } else {
            Place::Active
        };
        true
    }

    fn activate_unless_gated(&mut self, engine: &Engine, key: &str) {
        let Some(queued) = self.pods.get_mut(key) else {
            return;
        };
        queued.gate = engine.gate_of(&queued.shape).ok().flatten();
        match queued.gate {
            Some(gate) => queued.plugins.push(gate.to_owned()),
            None => queued.place = Place::Active,
        }
    }

    fn set_active(&mut self, key: &str) {
        if let Some(queued) = self.pods.get_mut(key) {
            queued.place = Place::Active;
        }
    }
}

fn waiting_of<'a>(
    snapshot: &'a Snapshot,
    queued: &'a Queued,
    namespaces: &'a dyn Fn(&str) -> Option<&'a Labels>,
) -> Waiting<'a> {
    Waiting {
        key: &queued.facts.key,
        shape: &queued.shape,
        object: &queued.facts.pod,
        topology: &snapshot.topology,
        namespaces,
    }
}

/// An arriving pod is looked at only by pods whose rejection had to do with other pods.
fn is_concerned(snapshot: &Snapshot, queued: &Queued, event: &Event) -> bool {
    let Event::AssignedPodAdd(arrived) = event else {
        return true;
    };
    let namespaces = |name: &str| snapshot.namespaces.get(name);
    hints::concerns(
        &waiting_of(snapshot, queued, &namespaces),
        &queued.plugins,
        arrived,
    )
}

fn helps(snapshot: &Snapshot, queued: &Queued, event: &Event) -> bool {
    if matches!(event, Event::Any) {
        return true;
    }
    let namespaces = |name: &str| snapshot.namespaces.get(name);
    let waiting = waiting_of(snapshot, queued, &namespaces);
    queued
        .plugins
        .iter()
        .any(|plugin| hints::may_help(plugin, &waiting, event))
}

/// None for a pod that has not failed yet.
fn backoff_end(queued: &Queued, timing: Timing) -> Option<i64> {
    let failures = if queued.errors > 0 {
        queued.errors
    } else {
        queued.rejections
    };
    let shift = failures.checked_sub(1)?;
    let duration = timing
        .initial_backoff
        .checked_shl(shift)
        .filter(|d| *d >> shift == timing.initial_backoff);
    let duration = duration
        .unwrap_or(timing.max_backoff)
        .min(timing.max_backoff);
    (duration > 0).then(|| to_window(queued.timestamp + duration))
}

fn backs_off(queued: &Queued, timing: Timing, now: i64) -> bool {
    backoff_end(queued, timing).is_some_and(|end| end >= to_window(now))
}

fn to_window(time: i64) -> i64 {
    time - time.rem_euclid(WINDOW)
}
