//! Kubernetes resource quantities (`100m`, `1.5Gi`, `2e3`), kept exactly as nano-units.

use std::fmt;

use serde::de::{self, Deserialize, Deserializer, Visitor};

const NANO: i128 = 1_000_000_000;

/// An amount in units of 10^-9, the finest step the Kubernetes API knows. Finer digits round up, as the API server does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Quantity(i128);

impl Quantity {
    /// A whole number of units.
    pub const fn of_units(units: i64) -> Self {
        Self(units as i128 * NANO)
    }

    /// Whole units, rounded up and held within an i64.
    pub fn value(self) -> i64 {
        saturate(div_ceil(self.0, NANO))
    }

    /// Thousandths, rounded up and held within an i64.
    pub fn milli_value(self) -> i64 {
        saturate(div_ceil(self.0, NANO / 1000))
    }

    /// Parses the text form.
    ///
    /// # Errors
    /// The text when it is no quantity.
    pub fn parse(text: &str) -> Result<Self, String> {
        parse(text).ok_or_else(|| {
            format!("{text:?} is not a quantity (number with a suffix such as m, k, Mi or e3)")
        })
    }
}

impl std::ops::Add for Quantity {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

fn div_ceil(value: i128, by: i128) -> i128 {
    value.div_euclid(by) + i128::from(value.rem_euclid(by) != 0)
}

fn saturate(value: i128) -> i64 {
    value.clamp(i64::MIN as i128, i64::MAX as i128) as i64
}

fn parse(text: &str) -> Option<Quantity> {
    let (negative, rest) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    let number_end = rest
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(rest.len());
    let (number, suffix) = rest.split_at(number_end);
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    if whole.is_empty() && fraction.is_empty() || fraction.contains('.') {
        return None;
    }
    let (factor, exponent) = scale(suffix)?;
    let mut digits: i128 = 0;
    for digit in whole.bytes().chain(fraction.bytes()) {
        digits = digits
            .checked_mul(10)?
            .checked_add(i128::from(digit - b'0'))?;
    }
    let exponent = exponent + 9 - i32::try_from(fraction.len()).ok()?;
    let scaled = digits.saturating_mul(factor);
    let nanos = if exponent >= 0 {
        scaled.saturating_mul(10i128.saturating_pow(exponent.unsigned_abs()))
    } else {
        10i128
            .checked_pow(exponent.unsigned_abs())
            .map_or(i128::from(scaled > 0), |by| div_ceil(scaled, by))
    };
    Some(Quantity(if negative {
        nanos.saturating_neg()
    } else {
        nanos
    }))
}

/// A suffix as (binary factor, decimal exponent).
fn scale(suffix: &str) -> Option<(i128, i32)> {
    Some(match suffix {
        "" => (1, 0),
        "n" => (1, -9),
        "u" => (1, -6),
        "m" => (1, -3),
        "k" => (1, 3),
        "M" => (1, 6),
        "G" => (1, 9),
        "T" => (1, 12),
        "P" => (1, 15),
        "E" => (1, 18),
        "Ki" => (1 << 10, 0),
        "Mi" => (1 << 20, 0),
        "Gi" => (1 << 30, 0),
        "Ti" => (1 << 40, 0),
        "Pi" => (1 << 50, 0),
        "Ei" => (1 << 60, 0),
        _ => (
            1,
            suffix
                .strip_prefix(['e', 'E'])?
                .parse()
                .ok()
                .filter(|e: &i32| e.abs() <= 30)?,
        ),
    })
}

impl<'de> Deserialize<'de> for Quantity {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct QuantityVisitor;
        impl Visitor<'_> for QuantityVisitor {
            type Value = Quantity;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a quantity (text such as \"500m\" or a number)")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Quantity, E> {
                Quantity::parse(text).map_err(E::custom)
            }

            fn visit_u64<E: de::Error>(self, units: u64) -> Result<Quantity, E> {
                Ok(Quantity(i128::from(units) * NANO))
            }

            fn visit_i64<E: de::Error>(self, units: i64) -> Result<Quantity, E> {
                Ok(Quantity::of_units(units))
            }

            fn visit_f64<E: de::Error>(self, units: f64) -> Result<Quantity, E> {
                Quantity::parse(&units.to_string()).map_err(E::custom)
            }
        }
        deserializer.deserialize_any(QuantityVisitor)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn suffixes_scale_and_values_round_up() {
        for (text, milli, value) in [
            ("100m", 100, 1),
            ("1.5", 1500, 2),
            ("1930m", 1930, 2),
            ("4G", 4_000_000_000_000, 4_000_000_000),
            ("1Gi", 1024 * 1024 * 1024 * 1000, 1024 * 1024 * 1024),
            ("2e3", 2_000_000, 2000),
            (
                "1E",
                1_000_000_000_000_000_000_000i128 as i64,
                1_000_000_000_000_000_000,
            ),
            ("1n", 1, 1),
            ("0", 0, 0),
            (".5", 500, 1),
            ("-1500m", -1500, -1),
        ] {
            let quantity = Quantity::parse(text).unwrap();
            assert_eq!(quantity.value(), value, "{text}");
            if text != "1E" {
                assert_eq!(quantity.milli_value(), milli, "{text}");
            }
        }
        assert_eq!(Quantity::parse("1E").unwrap().milli_value(), i64::MAX);
    }

    #[test]
    fn text_that_is_no_quantity_is_refused() {
        for text in ["", "-", "1.2.3", "Mi", "1mi", "1 Gi", "e3", "1e99", "0x10"] {
            assert!(Quantity::parse(text).is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn parsing_never_panics(text in "\\PC{0,24}") {
            let _ = Quantity::parse(&text);
        }

        #[test]
        fn whole_numbers_come_back(units in any::<i32>()) {
            prop_assert_eq!(Quantity::parse(&units.to_string()).unwrap().value(), i64::from(units));
        }
    }
}
