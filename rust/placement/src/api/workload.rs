//! Disruption budgets, and the owners whose selectors say which pods belong together.

use std::collections::BTreeMap;

use super::{LabelSelector, Labels, ObjectMeta, objects};

objects! {
    PodDisruptionBudget { metadata: ObjectMeta, spec: BudgetSpec, status: BudgetStatus }
    BudgetSpec { selector: Option<LabelSelector> }
    BudgetStatus { disruptions_allowed: i64, disrupted_pods: BTreeMap<String, Option<String>> }
    /// A Service or a ReplicationController.
    MapSelected { metadata: ObjectMeta, spec: MapSelectedSpec }
    MapSelectedSpec { selector: Option<Labels> }
    /// A ReplicaSet or a StatefulSet.
    Selected { metadata: ObjectMeta, spec: SelectedSpec }
    SelectedSpec { selector: Option<LabelSelector> }
}
