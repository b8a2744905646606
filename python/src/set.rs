//! Many subscriptions, compiled into one automaton.

use eventrie::service::{self, SubscriptionScratch};
use pyo3::exceptions::{PyKeyError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict};

use crate::input::Held;
use crate::options;
use crate::scratch::Pool;
use crate::subscription::{Outcome, Subscription, SubscriptionReport};
use crate::{errors, input, subscriber};

/// Named subscriptions that take the same kind of input, compiled into one automaton.
///
/// >>> import eventrie
/// >>> subscribers = eventrie.SubscriptionSet({
/// ...     "large": eventrie.Subscription.subscriber(data={"total": [{"numeric": [">", 100]}]}),
/// ...     "tenant a": eventrie.Subscription.subscriber(metadata={"tenant": ["a"]}),
/// ... })
/// >>> subscribers.evaluate(data={"total": 5}, metadata={"tenant": "a"}).names
/// ['tenant a']
///
/// Threads may share one set. ``unpublished`` is that of ``Subscription.subscriber``, for all of them.
#[pyclass(frozen, module = "eventrie")]
pub(crate) struct SubscriptionSet {
    compiled: service::SubscriptionSet<String>,
    subscriptions: Vec<Py<Subscription>>,
    pool: Pool<SubscriptionScratch>,
}

/// Which subscriptions of a set one input passes: an ``Outcome`` with names. It matches if the input passes any; without, its
/// cause says why.
#[pyclass(frozen, module = "eventrie", get_all, extends = Outcome)]
pub(crate) struct Verdict {
    /// The names of the subscriptions that the input passes, in the order of the mapping.
    names: Vec<String>,
    /// The names of the subscribers that could not be evaluated: a filter tests a part of the event that is malformed
    /// or unknown.
    undecided: Vec<String>,
    /// Why the first of them could not be evaluated.
    fault: Option<String>,
}

#[pymethods]
impl Verdict {
    fn __repr__(slf: PyRef<'_, Self>) -> String {
        let outcome = slf.as_super();
        if outcome.matched() { format!("<Verdict {:?}>", slf.names) } else { outcome.shown("Verdict") }
    }
}

#[pymethods]
impl SubscriptionSet {
    #[new]
    #[pyo3(signature = (subscriptions, *, unpublished = None, limits = None))]
    fn new(
        subscriptions: &Bound<'_, PyAny>,
        unpublished: Option<&Bound<'_, PyAny>>,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<SubscriptionSet> {
        let py = subscriptions.py();
        let expected = "a mapping from names to Subscription objects";
        let mut named = Vec::new();
        for (name, given) in input::members(subscriptions, "subscriptions", expected)? {
            let subscription: Py<Subscription> = given.extract().map_err(|_| {
                PyTypeError::new_err(format!("subscriptions: expected {expected}; {name:?} is another"))
            })?;
            named.push((name, subscription));
        }
        let mut builder = service::SubscriptionSet::builder().limits(options::limits(limits)?);
        if let Some(given) = unpublished {
            builder = builder.unpublished(subscriber::unpublished(given)?);
        }
        let inner: Vec<_> = named.iter().map(|(name, one)| (name.clone(), one.get().inner().clone())).collect();
        let compiled = py.detach(|| builder.build(inner)).map_err(|error| {
            let name = error.subscription().and_then(|at| named.get(at)).map(|(name, _)| name);
            match (error.build_error(), name) {
                (Some(error), _) => errors::build(py, error),
                (None, Some(name)) => PyValueError::new_err(format!("{name:?}: {error}")),
                (None, None) => PyValueError::new_err(error.to_string()),
            }
        })?;
        let subscriptions = named.into_iter().map(|(_, one)| one).collect();
        Ok(SubscriptionSet { compiled, subscriptions, pool: Pool::default() })
    }

    /// The names, in order.
    #[getter]
    fn keys(&self) -> &[String] {
        self.compiled.keys()
    }

    /// Which subscriptions an input passes; the input is that of ``Subscription.evaluate``.
    ///
    /// Of a Custom Event Bus, a part of the event that cannot be read concerns only the subscribers that test it: these are
    /// ``undecided``. Raises ``EventError`` if no subscription can be judged.
    #[pyo3(signature = (event = None, **parts), text_signature = "($self, event=None, *, body=None, attributes=None, data=None, metadata=None, system_metadata=None)")]
    fn evaluate(
        &self,
        py: Python<'_>,
        event: Option<&Bound<'_, PyAny>>,
        parts: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Py<Verdict>> {
        let judge = |input: service::Input<'_>| {
            self.pool.with(SubscriptionScratch::default, |scratch| {
                let verdict = self.compiled.judge(input, scratch)?;
                let keys = self.compiled.keys();
                let found = Verdict {
                    names: verdict.keys().cloned().collect(),
                    undecided: verdict.undecided().filter_map(|at| keys.get(at)).cloned().collect(),
                    fault: verdict.fault().map(ToString::to_string),
                };
                Ok((Outcome::new(verdict.outcome()), found))
            })
        };
        let (outcome, found) = Held::new(event, parts)?
            .with(|input| py.detach(|| judge(input)).map_err(|error| errors::event(py, &error, None)))?;
        Py::new(py, PyClassInitializer::from(outcome).add_subclass(found))
    }

    /// Why an input does or does not pass the subscription of that name.
    #[pyo3(signature = (name, event = None, **parts), text_signature = "($self, name, event=None, *, body=None, attributes=None, data=None, metadata=None, system_metadata=None)")]
    fn explain(
        &self,
        py: Python<'_>,
        name: &str,
        event: Option<&Bound<'_, PyAny>>,
        parts: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<SubscriptionReport> {
        let at = self.compiled.keys().iter().position(|known| known == name);
        let one = at
            .and_then(|at| self.subscriptions.get(at))
            .ok_or_else(|| PyKeyError::new_err(format!("name: there is no subscription {name:?} in this set")))?;
        one.get().explain(py, event, parts)
    }

    fn __len__(&self) -> usize {
        self.compiled.len()
    }

    fn __contains__(&self, name: &str) -> bool {
        self.compiled.keys().iter().any(|known| known == name)
    }

    fn __repr__(&self) -> String {
        let count = self.compiled.len();
        format!("<eventrie.SubscriptionSet of {count} subscription{}>", if count == 1 { "" } else { "s" })
    }
}
