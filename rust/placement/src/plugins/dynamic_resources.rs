//! DynamicResources: claims of devices through the resource API are not allocated here, and pods that need them are told so.

use std::sync::Arc;

use crate::framework::{Plugin, PreFilter, Rejection};
use crate::shape::Shape;
use crate::snapshot::Snapshot;

pub struct DynamicResources;

impl Plugin for DynamicResources {
    fn name(&self) -> &'static str {
        "DynamicResources"
    }

    fn filter_for(&self, _snapshot: &Snapshot, shape: &Arc<Shape>) -> PreFilter {
        if shape.spec().resource_claims.is_empty() {
            return PreFilter::Skip;
        }
        PreFilter::Reject(Rejection::unresolvable(
            "dynamic resource claims are not supported by this scheduler",
        ))
    }
}
