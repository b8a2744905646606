//! Rule sets that change: whatever the history, a snapshot answers as its patterns do, each alone.

use std::collections::BTreeMap;
use std::panic::UnwindSafe;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, mpsc};
use std::time::Duration;

use eventrie::event::ReadPolicy;
use eventrie::live::{Batch, MatchedKeys, Snapshot};
use eventrie::{Dialect, EventError, Limit, Limits, LiveMatcher, Matcher, Pattern, Scratch};
use proptest::prelude::*;

const PATTERNS: [&str; 26] = [
    r#"{"b":[{"exists":false}]}"#,
    r#"{"a":["x"]}"#,
    r#"{"a":["x","y"],"b":[1]}"#,
    r#"{"a":[{"prefix":"x"}]}"#,
    r#"{"a":[{"suffix":"z"}],"b":[{"exists":false}]}"#,
    r#"{"a":[{"anything-but":["x","y"]}]}"#,
    r#"{"a":[{"wildcard":"x*z"}]}"#,
    r#"{"a":[{"equals-ignore-case":"XYZ"}]}"#,
    r#"{"b":[{"numeric":[">",0,"<=",5]}]}"#,
    r#"{"b":[{"numeric":["<",3]},"x",null]}"#,
    r#"{"b":[true,false]}"#,
    r#"{"c":{"d":[{"exists":true}]}}"#,
    r#"{"c":{"d":["x"],"e":["y"]}}"#,
    r#"{"c":{"d":["x"],"e":["z"]}}"#,
    r#"{"c":{"d":[{"exists":false}]}}"#,
    r#"{"c":{"d":["x"],"e":[{"anything-but":"y"}]}}"#,
    r#"{"$or":[{"a":["x"]},{"b":[1]}],"c":{"d":["x"]}}"#,
    r#"{"$or":[{"a":["x"]},{"b":[2]},{"c":{"e":["y"]}}]}"#,
    r#"{"ip":[{"cidr":"10.0.0.0/8"}]}"#,
    r#"{"ip":["10.1.2.3"]}"#,
    r#"{"a":["y"],"ip":[{"exists":false}]}"#,
    r#"{"f":{"g":{"h":[3.5]}}}"#,
    r#"{"f":{"g":{"h":[{"numeric":["=",3.5]}],"i":["x"]}}}"#,
    r#"{"a":[{"anything-but":{"prefix":"x"}}],"f":{"g":{"h":[{"exists":false}]}}}"#,
    r#"{"a.b":["q"]}"#,
    r#"{"$or":[{"b":[{"exists":false}]},{"b":[7]}]}"#,
];

const EVENTS: [&str; 16] = [
    r#"{}"#,
    r#"{"a":"x"}"#,
    r#"{"a":"xyz","b":1}"#,
    r#"{"a":["x","y"],"b":[1,2,"x"]}"#,
    r#"{"b":null,"a":{"b":"q"}}"#,
    r#"{"c":{"d":"x","e":"y"},"b":2}"#,
    r#"{"c":[{"d":"x","e":"z"},{"d":"q","e":"y"}],"b":7}"#,
    r#"{"c":[{"d":"x"},{"e":"y"}],"a":"Xyz"}"#,
    r#"{"ip":"10.1.2.3","z":[[[{"a":1}]]]}"#,
    r#"{"ip":["11.0.0.1","10.9.9.9"],"f":{"g":{"h":3.50,"i":"x"}}}"#,
    r#"{"f":{"g":[{"h":3.5},{"i":"x"}]},"a":"y"}"#,
    r#"{"big":{"skipped":[1,2,{"x":"\u0041"}]},"a":"yz","b":true}"#,
    r#"{"b":-1e0,"a":"x","unknown":"\n","c":{"e":"y"}}"#,
    r#"{"a":"x","b":1"#,
    r#"[{"a":"x"}]"#,
    r#"{"a":"x",}"#,
];

/// Each pattern, and for each event whether it matches, as the explainer sees it.
fn pool() -> &'static [(Pattern, Vec<Option<bool>>)] {
    static POOL: OnceLock<Vec<(Pattern, Vec<Option<bool>>)>> = OnceLock::new();
    POOL.get_or_init(|| {
        let verdicts = |pattern: &Pattern| {
            EVENTS.iter().map(|event| pattern.explain(event.as_bytes()).ok().map(|found| found.matched())).collect()
        };
        let parse = |text: &&str| Pattern::parse(text, Dialect::EventBridge).unwrap();
        PATTERNS.iter().map(parse).map(|pattern| (pattern.clone(), verdicts(&pattern))).collect()
    })
}

/// The plain map that a rule set must agree with: for each key, the numbers of its patterns.
type Model = BTreeMap<u32, Vec<usize>>;

fn expected(model: &Model, event: usize) -> Option<Vec<u32>> {
    pool()[0].1[event]?;
    let holds = |patterns: &Vec<usize>| patterns.iter().any(|pattern| pool()[*pattern].1[event] == Some(true));
    Some(model.iter().filter(|(_, patterns)| holds(patterns)).map(|(key, _)| *key).collect())
}

fn keys(found: Result<MatchedKeys<'_, u32>, EventError>) -> Option<Vec<u32>> {
    found.ok().map(|keys| keys.copied().collect())
}

fn check(snapshot: &Snapshot<u32>, model: &Model, policy: ReadPolicy, scratch: &mut Scratch) {
    for (number, event) in EVENTS.iter().enumerate() {
        let expected = expected(model, number);
        let found = keys(snapshot.matches(*event, scratch));
        let any = snapshot.is_match(*event, scratch).ok();
        if expected.is_none() && policy == ReadPolicy::Early {
            continue;
        }
        assert_eq!(found, expected, "{event} with {model:?}");
        assert_eq!(any, expected.map(|keys| !keys.is_empty()), "{event} with {model:?}");
    }
}

fn check_contents(snapshot: &Snapshot<u32>, model: &Model) {
    assert_eq!(snapshot.len(), model.len());
    assert!(snapshot.keys().eq(model.keys()));
    let all = model.iter().flat_map(|(key, patterns)| patterns.iter().map(move |number| (*key, PATTERNS[*number])));
    assert!(snapshot.iter().map(|(key, pattern)| (*key, pattern.source())).eq(all));
    for key in 0..8 {
        let own: Vec<_> = model.get(&key).into_iter().flatten().map(|number| PATTERNS[*number]).collect();
        assert_eq!(snapshot.get(&key).iter().map(|pattern| pattern.source()).collect::<Vec<_>>(), own);
        assert_eq!(snapshot.contains_key(&key), !own.is_empty());
    }
}

#[derive(Clone, Debug)]
enum Step {
    Insert(u32, usize),
    Replace(u32, Vec<usize>),
    Remove(u32),
    /// Many at once: so many keys from a first one.
    Fill(u32, u32, usize),
    Drain(u32, u32),
    Batch(Vec<Step>),
    Settle,
    /// Somebody does the work that was given away.
    Work,
}

fn single() -> impl Strategy<Value = Step> {
    let pattern = 0..PATTERNS.len();
    prop_oneof![
        4 => (0_u32..60, pattern.clone()).prop_map(|(key, pattern)| Step::Insert(key, pattern)),
        2 => (0_u32..60, prop::collection::vec(pattern.clone(), 0..4)).prop_map(|(key, list)| Step::Replace(key, list)),
        3 => (0_u32..60).prop_map(Step::Remove),
        2 => (0_u32..400, 1_u32..150, pattern).prop_map(|(from, count, pattern)| Step::Fill(from, count, pattern)),
        1 => (0_u32..400, 1_u32..200).prop_map(|(from, count)| Step::Drain(from, count)),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        12 => single(),
        2 => prop::collection::vec(single(), 0..6).prop_map(Step::Batch),
        1 => Just(Step::Settle),
        3 => Just(Step::Work),
    ]
}

/// Adds a step to a batch and makes it in the model.
fn add(step: &Step, batch: &mut Batch<u32>, model: &mut Model) {
    let pattern = |number: usize| pool()[number].0.clone();
    match step {
        Step::Insert(key, number) => {
            batch.insert(*key, pattern(*number));
            model.entry(*key).or_default().push(*number);
        }
        Step::Replace(key, numbers) => {
            batch.replace(*key, numbers.iter().map(|number| pattern(*number)));
            model.insert(*key, numbers.clone());
            model.retain(|_, patterns| !patterns.is_empty());
        }
        Step::Remove(key) => {
            batch.remove(*key);
            model.remove(key);
        }
        Step::Fill(from, count, first) => {
            for key in *from..from + count {
                add(&Step::Insert(key, (first + key as usize) % PATTERNS.len()), batch, model);
            }
        }
        Step::Drain(from, count) => (*from..from + count).for_each(|key| add(&Step::Remove(key), batch, model)),
        Step::Batch(steps) => steps.iter().for_each(|step| add(step, batch, model)),
        Step::Settle | Step::Work => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: crate::properties::cases(96), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_history_answers_as_a_fresh_matcher(
        steps in prop::collection::vec(step(), 1..40),
        ratio in 1_usize..9,
        early in any::<bool>(),
        elsewhere in any::<bool>(),
    ) {
        let policy = if early { ReadPolicy::Early } else { ReadPolicy::Whole };
        let (sender, work) = mpsc::channel::<Box<dyn FnOnce() + Send>>();
        let mut builder = LiveMatcher::builder().read_policy(policy).merge_ratio(ratio);
        if elsewhere {
            builder = builder.merge_on(move |work| drop(sender.send(work)));
        }
        let live: LiveMatcher<u32> = builder.build();
        let (mut model, mut scratch) = (Model::new(), Scratch::default());
        let mut held = Vec::new();
        for step in &steps {
            let before = live.snapshot();
            match step {
                Step::Settle => live.settle().unwrap(),
                Step::Work => work.try_iter().for_each(|work| work()),
                Step::Remove(key) => prop_assert_eq!(live.remove(key), model.remove(key).is_some()),
                Step::Insert(key, number) => {
                    live.insert(*key, pool()[*number].0.clone()).unwrap();
                    model.entry(*key).or_default().push(*number);
                }
                step => {
                    let mut batch = Batch::new();
                    add(step, &mut batch, &mut model);
                    live.apply(batch).unwrap();
                }
            }
            let snapshot = live.snapshot();
            prop_assert!(snapshot.version() <= before.version() + 1);
            check(&snapshot, &model, policy, &mut scratch);
            held.push((snapshot, model.clone()));
        }
        // A fresh matcher, and snapshots of long ago.
        let owners: Vec<u32> = model.iter().flat_map(|(key, patterns)| patterns.iter().map(|_| *key)).collect();
        let patterns = model.values().flatten().map(|number| pool()[*number].0.clone());
        let fresh = Matcher::builder().read_policy(policy).build(patterns).unwrap();
        let snapshot = live.snapshot();
        let mut own = Scratch::default();
        for event in EVENTS {
            let found = fresh.matches(event, &mut own).ok();
            let mut found = found.map(|ids| ids.iter().map(|id| owners[id.index()]).collect::<Vec<_>>());
            found.iter_mut().for_each(Vec::dedup);
            let lived = keys(snapshot.matches(event, &mut scratch));
            if policy == ReadPolicy::Whole || found.is_some() && lived.is_some() {
                prop_assert_eq!(lived, found);
            }
        }
        for (snapshot, model) in held.iter().step_by(3) {
            check(snapshot, model, policy, &mut scratch);
            check_contents(snapshot, model);
        }
    }
}

/// Writers change the rules, work is done on a third thread, and every answer of every reader is that of the model for
/// its snapshot.
#[test]
fn readers_never_see_anything_torn() {
    const KEYS: u32 = 400;
    const VERSIONS: usize = 400;
    const CHECKS: usize = 4_000;
    let (sender, work) = mpsc::channel::<Box<dyn FnOnce() + Send>>();
    let live: LiveMatcher<u32> =
        LiveMatcher::builder().merge_ratio(3).merge_on(move |work| drop(sender.send(work))).build();
    // By version. A writer keeps the lock during its change, so versions and models are in step.
    let models = Mutex::new(vec![Arc::new(Model::new())]);
    let (checked, written, failed) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicBool::new(false));
    // Enough of both was done, however long that takes, or a thread has found a mistake.
    let is_over = || {
        let is_enough = checked.load(Ordering::Relaxed) >= CHECKS && written.load(Ordering::Relaxed) >= VERSIONS;
        is_enough || failed.load(Ordering::Relaxed)
    };
    std::thread::scope(|scope| {
        for seed in 1..3_u64 {
            let (live, models, is_over, written, failed) = (&live, &models, &is_over, &written, &failed);
            scope.spawn(move || {
                let _failure = Failure(failed);
                let mut random = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
                let mut next = |below: usize| {
                    random ^= random << 13;
                    random ^= random >> 7;
                    random ^= random << 17;
                    (random % below as u64) as usize
                };
                while !is_over() {
                    let mut models = models.lock().unwrap();
                    let mut model = Model::clone(models.last().unwrap());
                    let (key, number) = (next(KEYS as usize) as u32, next(PATTERNS.len()));
                    match next(8) {
                        0..3 => {
                            live.insert(key, pool()[number].0.clone()).unwrap();
                            model.entry(key).or_default().push(number);
                        }
                        3..6 => {
                            if !live.remove(&key) {
                                continue;
                            }
                            model.remove(&key);
                        }
                        6 => {
                            live.replace(key, [pool()[number].0.clone()]).unwrap();
                            model.insert(key, vec![number]);
                        }
                        _ => {
                            let mut batch = Batch::new();
                            let (drain, fill) = (next(KEYS as usize) as u32, next(KEYS as usize) as u32);
                            add(&Step::Drain(drain, 100), &mut batch, &mut model);
                            add(&Step::Fill(fill, 120, number), &mut batch, &mut model);
                            live.apply(batch).unwrap();
                        }
                    }
                    models.push(Arc::new(model));
                    drop(models);
                    written.fetch_add(1, Ordering::Relaxed);
                    std::thread::yield_now();
                }
            });
        }
        let (live, models, checked, is_over, failed) = (&live, &models, &checked, &is_over, &failed);
        scope.spawn(move || {
            let _failure = Failure(failed);
            while !is_over() {
                work.recv_timeout(Duration::from_millis(5)).into_iter().for_each(|work| work());
            }
        });
        for _ in 0..2 {
            scope.spawn(|| {
                let _failure = Failure(failed);
                let (mut scratch, mut snapshot) = (Scratch::default(), live.snapshot());
                let mut kept = live.snapshot();
                while !is_over() {
                    live.refresh(&mut snapshot);
                    let count = checked.fetch_add(1, Ordering::Relaxed);
                    if count.is_multiple_of(64) {
                        kept = snapshot.clone();
                    }
                    let snapshot = if count % 4 == 1 { &kept } else { &snapshot };
                    // The version may be ahead of the list for a moment: waiting for the lock brings it up to date.
                    let model = Arc::clone(&models.lock().unwrap()[snapshot.version() as usize]);
                    let event = count % EVENTS.len();
                    let found = keys(snapshot.matches(EVENTS[event], &mut scratch));
                    assert_eq!(found, expected(&model, event), "{} at {}", EVENTS[event], snapshot.version());
                    if count.is_multiple_of(256) {
                        check_contents(snapshot, &model);
                    }
                }
            });
        }
    });
    let models = models.into_inner().unwrap();
    let last = models.last().unwrap();
    check_contents(&live.snapshot(), last);
    live.settle().unwrap();
    assert_eq!(live.snapshot().parts(), 1);
    check(&live.snapshot(), last, ReadPolicy::Whole, &mut Scratch::default());
    assert!(models.len() > VERSIONS && checked.into_inner() >= CHECKS);
}

/// Stops the other threads if this one panics.
struct Failure<'a>(&'a AtomicBool);

impl Drop for Failure<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

#[test]
fn removals_that_happen_during_a_merge_stay_removed() {
    let (sender, work) = mpsc::channel::<Box<dyn FnOnce() + Send>>();
    let live: LiveMatcher<u32> = LiveMatcher::builder().merge_on(move |work| drop(sender.send(work))).build();
    let mut model = Model::new();
    let mut apply = |step: Step| {
        let mut batch = Batch::new();
        add(&step, &mut batch, &mut model);
        live.apply(batch).unwrap();
        model.clone()
    };
    apply(Step::Fill(0, 6_000, 3));
    apply(Step::Fill(6_000, 2_000, 4));
    let merge = work.try_recv().unwrap();
    assert_eq!(live.snapshot().parts(), 2);
    let worker = std::thread::spawn(merge);
    // Whether before, within or after the merge: the answer is the same.
    for round in 0..40 {
        apply(Step::Drain(round * 150, 20));
        apply(Step::Insert(round * 150, 1));
    }
    let last = apply(Step::Replace(1, vec![2, 1]));
    worker.join().unwrap();
    check(&live.snapshot(), &last, ReadPolicy::Whole, &mut Scratch::default());
    check_contents(&live.snapshot(), &last);
    assert!(live.snapshot().parts() < 4);
}

#[test]
fn work_that_is_dropped_is_given_again() {
    let given = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&given);
    let live: LiveMatcher<u32> = LiveMatcher::builder()
        .merge_on(move |work| {
            // Dropped, dropped, then done at once.
            if count.fetch_add(1, Ordering::Relaxed) >= 2 {
                work();
            }
        })
        .build();
    let fill = |from: u32| (from..from + 1_000).map(|key| (key, pool()[1].0.clone())).collect::<Batch<u32>>();
    for round in 0..4 {
        live.apply(fill(round * 1_000)).unwrap();
    }
    assert_eq!(given.load(Ordering::Relaxed), 3);
    assert_eq!((live.snapshot().parts(), live.len()), (1, 4_000));
}

#[test]
fn a_batch_is_made_as_a_whole_or_not_at_all() {
    let live = LiveMatcher::builder().limits(Limits::default().or_combinations(3)).build();
    let parse = |text: &str| Pattern::parse(text, Dialect::EventBridge).unwrap();
    live.insert("a", parse(r#"{"a":[1]}"#)).unwrap();
    let group = r#""$or":[{"x":[1]},{"y":[1]}]"#;
    let wide = parse(&format!(r#"{{{group},"w":{{{group}}}}}"#));
    for wide_at in 0..3 {
        let mut batch = Batch::new();
        batch.remove("a");
        for (number, key) in ["c", "b", "a"].into_iter().enumerate() {
            batch.insert(key, if number == wide_at { wide.clone() } else { parse(r#"{"a":[2]}"#) });
        }
        let error = live.apply(batch).unwrap_err();
        assert_eq!(error.limit(), Some(Limit::OrCombinations), "{error}");
        assert_eq!(error.pattern().map(|id| id.index()), Some(wide_at), "{error}");
        let snapshot = live.snapshot();
        assert_eq!((snapshot.version(), snapshot.len()), (1, 1));
        assert!(snapshot.is_match(r#"{"a":1}"#, &mut Scratch::default()).unwrap());
    }
}

#[test]
fn families_do_not_mix() {
    let live = LiveMatcher::new();
    let rule = Pattern::parse(r#"{"a":[1]}"#, Dialect::EventBridge).unwrap();
    let policy = Pattern::parse(r#"{"a":["x"]}"#, Dialect::SnsBody).unwrap();
    live.insert(1, rule.clone()).unwrap();
    live.insert(2, Pattern::parse(r#"{"a":[1]}"#, Dialect::Pipes).unwrap()).unwrap();
    let error = live.insert(3, policy.clone()).unwrap_err();
    assert_eq!(error.limit(), None);
    assert_eq!(
        error.to_string(),
        "pattern 0 is of the dialect `sns-body`, others are of `eventbridge`: one matcher serves one kind of event"
    );
    // Replacing everything in one batch changes the family.
    let mut batch = Batch::new();
    batch.remove(1).remove(2).insert(3, policy);
    live.apply(batch).unwrap();
    assert!(live.insert(1, rule).is_err());
    assert!(live.remove(&3) && live.is_empty());
}

#[test]
fn tables_are_bounded_and_come_back() {
    let limits = Limits::default().table_bytes(200_000);
    let live: LiveMatcher<u32> = LiveMatcher::builder().limits(limits).build();
    let pattern = |key: u32| {
        Pattern::parse(&format!(r#"{{"account":["{key:012}"],"name":[{{"prefix":"p{key}"}}]}}"#), Dialect::EventBridge)
            .unwrap()
    };
    let mut held = 0;
    let error = loop {
        match live.insert(held, pattern(held)) {
            Ok(()) => held += 1,
            Err(error) => break error,
        }
    };
    assert_eq!(error.limit(), Some(Limit::TableBytes));
    assert!(held > 200 && live.len() == held as usize, "{held}");
    assert!(live.insert(held, pattern(held)).is_err());
    // What goes makes room for as much.
    for key in 0..held / 2 {
        assert!(live.remove(&key));
    }
    for key in 0..held / 2 - 20 {
        live.insert(key, pattern(key + held)).unwrap();
    }
    for key in 0..2 * held {
        live.remove(&key);
    }
    assert!(live.is_empty());
    assert!(live.snapshot().memory_usage() < 2_000, "{}", live.snapshot().memory_usage());
}

#[test]
fn memory_follows_the_rules_through_turnover() {
    let pattern = |key: u32| {
        let text = format!(r#"{{"account":["{key:012}"],"name":[{{"prefix":"p{}"}},"q{key}"]}}"#, key % 1000);
        Pattern::parse(&text, Dialect::EventBridge).unwrap()
    };
    let live: LiveMatcher<u32> = LiveMatcher::new();
    live.apply((0..800).map(|key| (key, pattern(key))).collect()).unwrap();
    let fresh = live.snapshot().memory_usage();
    for key in 0..2_400 {
        assert!(live.remove(&key));
        live.insert(key + 800, pattern(key + 800)).unwrap();
        assert!(live.snapshot().parts() <= 5);
    }
    assert_eq!(live.len(), 800);
    let now = live.snapshot().memory_usage();
    assert!(now <= 2 * fresh, "{now} after turnover, {fresh} fresh");
}

#[test]
fn handles_cross_threads() {
    fn crosses<T: Send + Sync>() {}
    fn unwinds<T: UnwindSafe>() {}
    crosses::<LiveMatcher<String>>();
    crosses::<Snapshot<String>>();
    crosses::<Batch<String>>();
    crosses::<MatchedKeys<'_, String>>();
    unwinds::<Snapshot<String>>();
    assert!(std::thread::spawn(|| LiveMatcher::<u8>::new().snapshot()).join().unwrap().is_empty());
}

/// The parts of a live set test different fields: those that only a newer part tests mean nothing to an older one.
#[test]
fn fields_of_newer_parts() {
    let live: LiveMatcher<u32> = LiveMatcher::builder().merge_ratio(2).build();
    let mut scratch = Scratch::default();
    let mut key = 0;
    // Each part is so much larger than the next that they are not merged.
    for (count, field) in [(1_000, "a"), (300, "b"), (100, "c")] {
        let mut batch = Batch::new();
        for number in 0..count {
            let pattern = format!(r#"{{"{field}":["{number}"],"{field}{field}":[{{"exists":true}}]}}"#);
            batch.insert(key, Pattern::parse(&pattern, Dialect::EventBridge).unwrap());
            key += 1;
        }
        live.apply(batch).unwrap();
    }
    for (first, field) in [(0, "a"), (1_000, "b"), (1_300, "c")] {
        let event = format!(r#"{{"a":"none","b":"none","{field}{field}":1,"{field}":"7"}}"#);
        assert_eq!(keys(live.snapshot().matches(event.as_str(), &mut scratch)), Some(vec![first + 7]), "{event}");
    }
}
