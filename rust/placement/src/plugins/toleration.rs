//! Whether a toleration tolerates a taint; shared by every plugin that looks at taints.

use crate::api::{Taint, Toleration};

/// `numeric`: the operators Gt and Lt compare values (gate TaintTolerationComparisonOperators); else they match nothing.
pub fn tolerates(toleration: &Toleration, taint: &Taint, numeric: bool) -> bool {
    if !toleration.effect.is_empty() && toleration.effect != taint.effect
        || !toleration.key.is_empty() && toleration.key != taint.key
    {
        return false;
    }
    match toleration.operator.as_str() {
        "" | "Equal" => toleration.value == taint.value,
        "Exists" => true,
        "Gt" if numeric => numbers(toleration, taint).is_some_and(|(wanted, held)| held > wanted),
        "Lt" if numeric => numbers(toleration, taint).is_some_and(|(wanted, held)| held < wanted),
        _ => false,
    }
}

fn numbers(toleration: &Toleration, taint: &Taint) -> Option<(i64, i64)> {
    Some((integer(&toleration.value)?, integer(&taint.value)?))
}

/// Whole numbers in their shortest form only: `007` and `+7` are no numbers here.
fn integer(text: &str) -> Option<i64> {
    text.parse()
        .ok()
        .filter(|number: &i64| number.to_string() == text)
}

pub fn tolerated(tolerations: &[Toleration], taint: &Taint, numeric: bool) -> bool {
    tolerations
        .iter()
        .any(|toleration| tolerates(toleration, taint, numeric))
}

/// True when a taint that keeps pods away is not tolerated.
pub fn kept_away(taints: &[Taint], tolerations: &[Toleration], numeric: bool) -> bool {
    let mut strict = taints
        .iter()
        .filter(|taint| taint.effect == "NoSchedule" || taint.effect == "NoExecute");
    strict.any(|taint| !tolerated(tolerations, taint, numeric))
}
