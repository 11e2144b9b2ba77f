//! What can be wrong with the objects and the configuration that are handed in.

/// An input that cannot be used. Every variant names the object and the path in it.
#[derive(Debug, thiserror::Error)]
pub enum PlacementError {
    /// JSON that does not have the shape of the API type.
    #[error("{object}: {path}: {message}")]
    Decode {
        object: String,
        path: String,
        message: String,
    },
    /// A value of the right type that is not allowed.
    #[error("{object}: {path}: found {found}, allowed: {allowed}")]
    Invalid {
        object: String,
        path: String,
        found: String,
        allowed: String,
    },
    /// A kind of object that the snapshot does not keep.
    #[error("{kind} is not kept in the snapshot; known kinds: {known}")]
    UnknownKind { kind: String, known: &'static str },
    /// A pod, node or profile that was named but never handed in.
    #[error("{kind} {name:?} is not in the snapshot")]
    Unknown { kind: &'static str, name: String },
}

pub type Result<T> = std::result::Result<T, PlacementError>;

/// Decodes one object; `object` names it in the error.
///
/// # Errors
/// `Decode` with the path of the first value that does not fit.
pub fn decode<'de, T: serde::Deserialize<'de>>(object: &str, raw: &'de [u8]) -> Result<T> {
    serde_json::from_slice(raw).map_err(|error| {
        // The path costs a wrapper around every value, so it is looked for only once decoding has failed.
        let mut source = serde_json::Deserializer::from_slice(raw);
        let located = serde_path_to_error::deserialize::<_, T>(&mut source).err();
        PlacementError::Decode {
            object: object.to_owned(),
            path: located.map_or_else(String::new, |error| error.path().to_string()),
            message: error.to_string(),
        }
    })
}
