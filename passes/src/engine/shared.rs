//! Results that several checks of one kernel share, by their type.
//!
//! **Promises**: each is worked out once, and only if it is asked for; two threads that ask at the
//! same time get the same one. **Does not**: name a check, so that a new one changes nothing here.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

type Slot = Arc<OnceLock<Arc<dyn Any + Send + Sync>>>;

/// The results so far.
#[derive(Default)]
pub(super) struct SharedResults(Mutex<HashMap<TypeId, Slot>>);

impl SharedResults {
    /// The result of this type, worked out if it is asked for the first time.
    pub(super) fn of<T: Any + Send + Sync>(&self, find: impl FnOnce() -> T) -> Arc<T> {
        let slot = {
            let mut slots = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            slots.entry(TypeId::of::<T>()).or_default().clone()
        };
        let found = slot.get_or_init(|| Arc::new(find())).clone();
        found.downcast().expect("a slot holds the type that it is listed under")
    }
}

impl fmt::Debug for SharedResults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedResults").finish_non_exhaustive()
    }
}
