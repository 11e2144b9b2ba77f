//! What libbpf has to say goes here instead of to stderr: it explains a failure, and is noise otherwise.

use std::cell::RefCell;
use std::sync::Once;

use libbpf_rs::PrintLevel;

thread_local! {
    static CAPTURED: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Runs `action` and returns what libbpf printed on this thread meanwhile, verifier logs included.
pub(crate) fn captured<T>(action: impl FnOnce() -> T) -> (T, String) {
    static SILENCED: Once = Once::new();
    SILENCED.call_once(|| {
        libbpf_rs::set_print(Some((PrintLevel::Info, record)));
    });
    CAPTURED.set(Some(String::new()));
    let result = action();
    (result, CAPTURED.take().unwrap_or_default())
}

fn record(_: PrintLevel, message: String) {
    CAPTURED.with_borrow_mut(|captured| {
        if let Some(text) = captured {
            text.push_str(&message);
        }
    });
}
