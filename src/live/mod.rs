//! Rule sets that change while events flow.
//!
//! A rule set is a short row of immutable matchers, each much larger than all after it together, and for each of them
//! the set of its patterns that were removed. A change compiles the patterns that are new, together with the small
//! matchers at the end of the row, and publishes a new row with one atomic store; readers keep the row that they
//! loaded. Larger merges happen when they are worth it: on the writer's thread, or on one that the caller gives.

mod batch;
mod part;
mod plan;
mod replace;
mod snapshot;
mod write;

use std::borrow::Borrow;
use std::fmt::{Debug, Formatter};
use std::sync::Arc;

pub use batch::Batch;
pub use replace::Replaced;
pub use snapshot::{MatchedKeys, Snapshot};

use crate::json::ReadPolicy;
use crate::limit::{BuildError, Limits};
use crate::matcher::Matcher;
use crate::pattern::Pattern;
use crate::saved::SavedKey;
use write::{Settings, Shared, Ticket};

/// Named patterns that change while events are matched against them.
///
/// Readers take a [`Snapshot`], which costs one atomic load, and match with a [`Scratch`](crate::Scratch) of their own:
/// nothing that a writer does makes them wait, and what they see is always a whole rule set, before or after a change.
/// Writers exclude each other. A clone is another handle on the same rule set.
///
/// Several patterns may come under one key: it matches if any of them does. Answers are keys in ascending order, so
/// they do not depend on the history of the rule set; that is why keys have to be [`Ord`], and they need nothing else.
///
/// # Costs
///
/// The rules are kept as a few immutable matchers, each at least [`merge_ratio`](LiveBuilder::merge_ratio) times larger
/// than those after it together, so a change compiles what is new and the small matchers, and rarely the large ones: on
/// average each pattern is compiled about *r* · log*ᵣ*(*n*) times. A removed pattern is only marked, until a quarter of
/// its matcher is. By default all this happens inside the change that makes it due, so some changes take as long as
/// compiling everything. With [`merge_on`](LiveBuilder::merge_on) whatever is large is merged elsewhere.
///
/// ```
/// use eventrie::{Dialect, LiveMatcher, Pattern, Scratch};
/// let live = LiveMatcher::new();
/// live.insert("big", Pattern::parse(r#"{"size":[{"numeric":[">",100]}]}"#, Dialect::EventBridge)?)?;
/// live.insert("red", Pattern::parse(r#"{"color":["red"]}"#, Dialect::EventBridge)?)?;
///
/// let mut scratch = Scratch::default();
/// let snapshot = live.snapshot();
/// let keys: Vec<_> = snapshot.matches(r#"{"color":"red","size":120}"#, &mut scratch)?.collect();
/// assert_eq!(keys, [&"big", &"red"]);
///
/// live.remove("big");
/// let snapshot = live.snapshot();
/// let keys: Vec<_> = snapshot.matches(r#"{"color":"red","size":120}"#, &mut scratch)?.collect();
/// assert_eq!(keys, [&"red"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct LiveMatcher<K> {
    shared: Arc<Shared<K>>,
}

impl<K> Clone for LiveMatcher<K> {
    fn clone(&self) -> LiveMatcher<K> {
        LiveMatcher { shared: Arc::clone(&self.shared) }
    }
}

impl<K: Ord> LiveMatcher<K> {
    /// A rule set without rules, with the default [`Limits`] and [`ReadPolicy::Whole`], that merges inside changes.
    #[must_use]
    pub fn new() -> LiveMatcher<K> {
        LiveMatcher::builder().build()
    }

    /// A builder, for other settings.
    #[must_use]
    pub fn builder() -> LiveBuilder<K> {
        LiveBuilder::default()
    }

    /// The rules as they are now. One atomic load and a reference count.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot<K> {
        Snapshot { state: self.shared.current() }
    }

    /// Brings a snapshot up to date, and returns whether it was outdated. If it was current, this costs one atomic load
    /// and makes no other reader wait.
    ///
    /// ```
    /// use eventrie::{Dialect, LiveMatcher, Pattern};
    /// let live = LiveMatcher::new();
    /// let mut snapshot = live.snapshot();
    /// assert!(!live.refresh(&mut snapshot));
    /// live.insert(1, Pattern::parse(r#"{"a":[1]}"#, Dialect::EventBridge)?)?;
    /// assert!(live.refresh(&mut snapshot) && snapshot.len() == 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn refresh(&self, snapshot: &mut Snapshot<K>) -> bool {
        self.shared.refresh(&mut snapshot.state)
    }

    /// Adds a pattern under a key, in addition to its other patterns.
    ///
    /// # Errors
    /// If a limit is reached, or if the pattern is for another family of services than the others. Nothing is changed
    /// then.
    pub fn insert(&self, key: K, pattern: Pattern) -> Result<(), BuildError> {
        let mut batch = Batch::new();
        batch.insert(key, pattern);
        self.apply(batch)
    }

    /// Replaces the patterns of a key in one step: there is no moment without the old or the new ones.
    ///
    /// ```
    /// use eventrie::{Dialect, LiveMatcher, Pattern};
    /// let live = LiveMatcher::new();
    /// live.insert("a", Pattern::parse(r#"{"b":[1]}"#, Dialect::EventBridge)?)?;
    /// live.replace("a", [Pattern::parse(r#"{"b":[2]}"#, Dialect::EventBridge)?])?;
    /// assert_eq!(live.get("a")[0].source(), r#"{"b":[2]}"#);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`LiveMatcher::insert`].
    pub fn replace(&self, key: K, patterns: impl IntoIterator<Item = Pattern>) -> Result<(), BuildError>
    where
        K: Clone,
    {
        let mut batch = Batch::new();
        batch.replace(key, patterns);
        self.apply(batch)
    }

    /// Removes a key with all its patterns, and returns whether it was there.
    pub fn remove<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.shared.remove(key)
    }

    /// Makes all changes of a batch, or none: readers see all of them or none.
    ///
    /// # Errors
    /// If a limit is reached, or if patterns of several families meet. [`BuildError::pattern`] is then the number of the
    /// pattern among those of the batch. Nothing is changed.
    pub fn apply(&self, batch: Batch<K>) -> Result<(), BuildError> {
        self.shared.apply(batch)
    }

    /// Replaces the whole rule set by `patterns`, and returns what changed. Only what differs is compiled; patterns
    /// with the same text stay. Readers see the set before or after it, nothing between.
    ///
    /// ```
    /// use eventrie::{LiveMatcher, Pattern};
    /// let live = LiveMatcher::new();
    /// live.replace_all([("a", r#"{"x":[1]}"#.parse()?), ("b", r#"{"x":[2]}"#.parse()?)])?;
    /// let replaced = live.replace_all([("b", r#"{"x":[3]}"#.parse()?), ("c", r#"{"x":[4]}"#.parse()?)])?;
    /// assert_eq!((replaced.added, replaced.removed, replaced.changed), (vec!["c"], vec!["a"], vec!["b"]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`LiveMatcher::insert`]; [`BuildError::pattern`] is the position among `patterns`. Nothing is changed.
    pub fn replace_all(&self, patterns: impl IntoIterator<Item = (K, Pattern)>) -> Result<Replaced<K>, BuildError>
    where
        K: Clone,
    {
        let mut wanted: Vec<(usize, (K, Pattern))> = patterns.into_iter().enumerate().collect();
        wanted.sort_by(|(_, left), (_, right)| left.0.cmp(&right.0));
        self.shared.replace_all(wanted)
    }

    /// The rules as bytes, with keys and patterns: what [`Snapshot::to_matcher`] makes, saved. They are loaded with
    /// [`Matcher::keyed_from_bytes`](crate::Matcher::keyed_from_bytes), whose [`entries`](crate::Matcher::entries) make a live
    /// set again.
    ///
    /// ```
    /// use eventrie::{Limits, LiveMatcher, Matcher};
    /// let live = LiveMatcher::new();
    /// live.insert("a".to_owned(), r#"{"x":[1]}"#.parse()?)?;
    /// let bytes = live.to_bytes()?;
    ///
    /// let again = LiveMatcher::new();
    /// again.replace_all(Matcher::<String>::keyed_from_bytes(&bytes, &Limits::default())?.entries())?;
    /// assert_eq!(again.get("a")[0].source(), r#"{"x":[1]}"#);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the tables of one matcher would reach a limit that those of several do not.
    pub fn to_bytes(&self) -> Result<Vec<u8>, BuildError>
    where
        K: Clone + SavedKey,
    {
        let builder = Matcher::builder().limits(self.shared.limits()).read_policy(self.shared.policy());
        Ok(self.snapshot().matcher(builder)?.to_bytes())
    }

    /// The patterns under a key now, oldest first.
    #[must_use]
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Vec<Pattern>
    where
        K: Borrow<Q>,
    {
        self.snapshot().get(key).into_iter().cloned().collect()
    }

    /// How many keys there are now.
    #[must_use]
    pub fn len(&self) -> usize {
        self.snapshot().len()
    }

    /// Whether there are no keys now.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Merges everything into one matcher, on this thread; other writers wait for it. Call it before a time without
    /// changes: matching is then as fast as with a [`Matcher`].
    ///
    /// ```
    /// use eventrie::live::Batch;
    /// use eventrie::{Dialect, LiveMatcher, Pattern};
    /// let pattern = Pattern::parse(r#"{"a":[1]}"#, Dialect::EventBridge)?;
    /// let live = LiveMatcher::new();
    /// live.apply((0..500).map(|key| (key, pattern.clone())).collect())?;
    /// live.insert(500, pattern)?;
    /// assert_eq!(live.snapshot().parts(), 2);
    /// live.settle()?;
    /// assert_eq!(live.snapshot().parts(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the tables of one matcher would reach a limit that those of several do not. Nothing is changed.
    pub fn settle(&self) -> Result<(), BuildError> {
        self.shared.settle()
    }
}

impl<K: Ord> Default for LiveMatcher<K> {
    fn default() -> LiveMatcher<K> {
        LiveMatcher::new()
    }
}

impl<K: Ord> Debug for LiveMatcher<K> {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        let now = self.snapshot();
        write!(f, "LiveMatcher({} keys, {} parts)", now.len(), now.parts())
    }
}

/// Settings for a [`LiveMatcher`].
///
/// ```
/// use eventrie::event::ReadPolicy;
/// use eventrie::{Limits, LiveMatcher};
/// let live: LiveMatcher<String> = LiveMatcher::builder()
///     .read_policy(ReadPolicy::Early)
///     .limits(Limits::default().table_bytes(1 << 28))
///     .merge_on(|work| drop(std::thread::spawn(work)))
///     .build();
/// assert!(live.is_empty());
/// ```
pub struct LiveBuilder<K> {
    settings: Settings<K>,
}

impl<K> Default for LiveBuilder<K> {
    fn default() -> LiveBuilder<K> {
        LiveBuilder { settings: Settings::default() }
    }
}

impl<K> Debug for LiveBuilder<K> {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        let Settings { limits, policy, ratio, deliver } = &self.settings;
        let mut shown = f.debug_struct("LiveBuilder");
        shown.field("limits", limits).field("read_policy", policy).field("merge_ratio", ratio);
        shown.field("merges_elsewhere", &deliver.is_some()).finish()
    }
}

impl<K: Ord> LiveBuilder<K> {
    /// Sets the bounds. [`Limits::table_bytes`] bounds the tables of all matchers of the rule set together.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> LiveBuilder<K> {
        self.settings.limits = limits;
        self
    }

    /// Sets how much of an event is read.
    #[must_use]
    pub fn read_policy(mut self, policy: ReadPolicy) -> LiveBuilder<K> {
        self.settings.policy = policy;
        self
    }

    /// Sets how many times larger a matcher is than those after it together: 16 by default, between 1 and 64. Larger
    /// numbers make matching faster (fewer matchers) and changes slower.
    #[must_use]
    pub fn merge_ratio(mut self, ratio: usize) -> LiveBuilder<K> {
        self.settings.ratio = ratio.clamp(1, 64);
        self
    }

    /// Merges large matchers elsewhere, so no change takes longer than compiling its own patterns and a few hundred
    /// others. `deliver` receives work to run once, on any thread; it is called when a merge becomes due, on the thread
    /// of the change, and not again before that work ended. Work that is dropped is delivered again with one of the
    /// next changes.
    ///
    /// ```
    /// use std::sync::mpsc;
    /// use eventrie::{Limits, LiveMatcher};
    /// let (sender, work) = mpsc::channel::<Box<dyn FnOnce() + Send>>();
    /// std::thread::spawn(move || work.into_iter().for_each(|work| work()));
    /// let live: LiveMatcher<u64> = LiveMatcher::builder().merge_on(move |work| drop(sender.send(work))).build();
    /// # assert!(live.is_empty());
    /// ```
    #[must_use]
    pub fn merge_on(mut self, deliver: impl Fn(Box<dyn FnOnce() + Send>) + Send + Sync + 'static) -> LiveBuilder<K>
    where
        K: Send + Sync + 'static,
    {
        self.settings.deliver = Some(Arc::new(move |ticket: Ticket<K>| deliver(Box::new(move || ticket.work()))));
        self
    }

    /// A rule set without rules.
    #[must_use]
    pub fn build(self) -> LiveMatcher<K> {
        LiveMatcher { shared: Arc::new(Shared::new(self.settings)) }
    }
}
