//! Label selectors and node selectors.

use crate::api::{self, Labels};

/// A compiled label selector.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Selector {
    /// An absent selector.
    Nothing,
    /// All requirements must hold; an empty list (`{}`) matches everything.
    All(Vec<Requirement>),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Requirement {
    pub key: String,
    pub test: Test,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Test {
    In(Vec<String>),
    NotIn(Vec<String>),
    Exists,
    Absent,
    GreaterThan(i64),
    LessThan(i64),
    /// An expression the API server would have refused.
    Never,
}

impl Selector {
    pub fn of(selector: Option<&api::LabelSelector>) -> Self {
        let Some(selector) = selector else {
            return Self::Nothing;
        };
        let mut all = requirements_of_map(&selector.match_labels);
        all.extend(selector.match_expressions.iter().map(Requirement::of));
        Self::All(all)
    }

    pub fn of_map(labels: &Labels) -> Self {
        Self::All(requirements_of_map(labels))
    }

    pub fn matches(&self, labels: &Labels) -> bool {
        match self {
            Self::Nothing => false,
            Self::All(requirements) => requirements
                .iter()
                .all(|r| r.matches(labels.get(&r.key).map(String::as_str))),
        }
    }

    /// True for `{}`, which matches everything.
    pub fn is_empty(&self) -> bool {
        matches!(self, Self::All(requirements) if requirements.is_empty())
    }

    /// Adds requirements; an absent selector stays absent.
    pub fn and(&mut self, more: impl IntoIterator<Item = Requirement>) {
        if let Self::All(requirements) = self {
            requirements.extend(more);
        }
    }
}

fn requirements_of_map(labels: &Labels) -> Vec<Requirement> {
    labels
        .iter()
        .map(|(key, value)| Requirement::equals(key, value))
        .collect()
}

impl Requirement {
    pub fn of(expression: &api::Requirement) -> Self {
        let values = || expression.values.clone();
        let number = || match expression.values.as_slice() {
            [one] => one.parse().ok(),
            _ => None,
        };
        let test = match expression.operator.as_str() {
            "In" if !expression.values.is_empty() => Test::In(values()),
            "NotIn" if !expression.values.is_empty() => Test::NotIn(values()),
            "Exists" => Test::Exists,
            "DoesNotExist" => Test::Absent,
            "Gt" => number().map_or(Test::Never, Test::GreaterThan),
            "Lt" => number().map_or(Test::Never, Test::LessThan),
            _ => Test::Never,
        };
        Self {
            key: expression.key.clone(),
            test,
        }
    }

    pub fn equals(key: &str, value: &str) -> Self {
        Self {
            key: key.to_owned(),
            test: Test::In(vec![value.to_owned()]),
        }
    }

    pub fn matches(&self, value: Option<&str>) -> bool {
        let number = || value.and_then(|v| v.parse::<i64>().ok());
        match &self.test {
            Test::In(values) => value.is_some_and(|v| values.iter().any(|each| each == v)),
            Test::NotIn(values) => value.is_none_or(|v| values.iter().all(|each| each != v)),
            Test::Exists => value.is_some(),
            Test::Absent => value.is_none(),
            Test::GreaterThan(bound) => number().is_some_and(|n| n > *bound),
            Test::LessThan(bound) => number().is_some_and(|n| n < *bound),
            Test::Never => false,
        }
    }
}

/// A node selector term; an empty one matches no node.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct NodeTerm {
    pub labels: Vec<Requirement>,
    /// Requirements on `metadata.name`; on any other field they never hold.
    pub fields: Vec<Requirement>,
}

impl NodeTerm {
    pub fn of(term: &api::NodeSelectorTerm) -> Self {
        Self {
            labels: term.match_expressions.iter().map(Requirement::of).collect(),
            fields: term.match_fields.iter().map(Requirement::of).collect(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.labels.is_empty() && self.fields.is_empty()
    }

    pub fn matches(&self, name: &str, labels: &Labels) -> bool {
        !self.is_empty()
            && self
                .labels
                .iter()
                .all(|r| r.matches(labels.get(&r.key).map(String::as_str)))
            && self
                .fields
                .iter()
                .all(|r| r.key == "metadata.name" && r.matches(Some(name)))
    }
}

/// Terms of which one must match; no terms match nothing.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct NodeTerms(pub Vec<NodeTerm>);

impl NodeTerms {
    pub fn of(selector: &api::NodeSelector) -> Self {
        Self(
            selector
                .node_selector_terms
                .iter()
                .map(NodeTerm::of)
                .collect(),
        )
    }

    pub fn matches(&self, name: &str, labels: &Labels) -> bool {
        self.0.iter().any(|term| term.matches(name, labels))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(pairs: &[(&str, &str)]) -> Labels {
        pairs
            .iter()
            .map(|(k, v)| ((*k).to_owned(), (*v).to_owned()))
            .collect()
    }

    fn expression(key: &str, operator: &str, values: &[&str]) -> api::Requirement {
        api::Requirement {
            key: key.into(),
            operator: operator.into(),
            values: values.iter().map(|v| (*v).to_owned()).collect(),
        }
    }

    #[test]
    fn operators_follow_the_api() {
        let node = labels(&[("tier", "5"), ("disk", "ssd")]);
        for (key, operator, values, expected) in [
            ("disk", "In", &["ssd", "hdd"][..], true),
            ("disk", "NotIn", &["ssd"], false),
            ("rack", "NotIn", &["r1"], true),
            ("rack", "DoesNotExist", &[], true),
            ("rack", "Exists", &[], false),
            ("tier", "Gt", &["4"], true),
            ("tier", "Gt", &["5"], false),
            ("tier", "Lt", &["6"], true),
            ("disk", "Gt", &["1"], false),
            ("tier", "Lt", &["x"], false),
            ("tier", "Near", &["5"], false),
        ] {
            let requirement = Requirement::of(&expression(key, operator, values));
            assert_eq!(
                requirement.matches(node.get(key).map(String::as_str)),
                expected,
                "{key} {operator} {values:?}"
            );
        }
    }

    #[test]
    fn an_absent_selector_matches_nothing_and_an_empty_one_everything() {
        assert!(!Selector::of(None).matches(&labels(&[])));
        assert!(Selector::of(Some(&api::LabelSelector::default())).matches(&labels(&[("a", "b")])));
    }

    #[test]
    fn an_empty_node_term_matches_no_node() {
        assert!(
            !NodeTerms::of(&api::NodeSelector {
                node_selector_terms: vec![api::NodeSelectorTerm::default()]
            })
            .matches("n0", &labels(&[]))
        );
    }
}
