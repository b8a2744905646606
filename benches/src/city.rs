//! City lots: the shape of a well-known file of San Francisco's parcels, with points as objects. About 1 KB per event.

use std::fmt::Write as _;

use crate::random::Random;

/// Street names that the rules test, and how many of 10,000 lots are there.
const STREETS: [(&str, usize); 28] = [
    ("FULTON", 90),
    ("MASON", 125),
    ("BEACH", 10),
    ("HYDE", 82),
    ("CHESTNUT", 39),
    ("JEFFERSON", 6),
    ("17TH", 76),
    ("CRANLEIGH", 2),
    ("ACADIA", 1),
    ("ACTON", 1),
    ("BLAKE", 3),
    ("BLANKEN", 8),
    ("BLUXOME", 8),
    ("DRUMM", 1),
    ("FUNSTON", 22),
    ("RHINE", 1),
    ("RHODE ISLAND", 14),
    ("DUBOCE", 19),
    ("CLAY", 70),
    ("JACKSON", 89),
    ("WASHINGTON", 80),
    ("HARRISON", 70),
    ("MISSION", 183),
    ("MARKET", 89),
    ("BROADWAY", 42),
    ("SANTIAGO", 21),
    ("IRVING", 38),
    ("MANGO", 1),
];

const SYLLABLES: [&str; 24] = [
    "AL", "BAR", "CA", "DE", "EL", "FAR", "GAL", "HAR", "IN", "KEN", "LOR", "MAR", "NOR", "OL", "PAR", "SAN", "TER",
    "VAR", "WIN", "MONT", "VISTA", "WOOD", "CREST", "TON",
];

const TYPES: [(&str, usize); 8] =
    [("ST", 54), ("AVE", 29), ("DR", 4), ("WAY", 4), ("BLVD", 3), ("CT", 2), ("TER", 2), ("PL", 2)];

/// Lot numbers that the rules test, and how many of 10,000 have that number.
const LOTS: [(&str, usize); 4] = [("2607117", 5), ("2607218", 2), ("3745012", 31), ("1430022", 1)];

fn weighted<'a>(random: &mut Random, of: usize, list: &[(&'a str, usize)]) -> Option<&'a str> {
    let mut at = random.below(of);
    for (name, weight) in list {
        if at < *weight {
            return Some(name);
        }
        at -= weight;
    }
    None
}

/// So many lots, as compact JSON.
#[must_use]
pub fn lots(count: usize) -> Vec<Vec<u8>> {
    let mut random = Random::new(2026);
    (0..count).map(|_| lot(&mut random).into_bytes()).collect()
}

fn lot(random: &mut Random) -> String {
    let block = format!("{:04}", random.between(1, 7_380));
    let own = format!("{block}{:03}", random.between(1, 120));
    let map = weighted(random, 10_000, &LOTS).map_or_else(|| own.clone(), str::to_owned);
    let street = weighted(random, 10_000, &STREETS).map_or_else(
        || {
            let third = if random.percent(50) { random.pick(&SYLLABLES) } else { "" };
            format!("{}{}{third}", random.pick(&SYLLABLES), random.pick(&SYLLABLES))
        },
        str::to_owned,
    );
    let from = if random.percent(1) { 441 } else { random.between(1, 3_999) };
    let to = if random.percent(85) { from } else { from + random.between(1, 20) };
    let kind = match weighted(random, 100, &TYPES) {
        Some(kind) => format!("\"{kind}\""),
        None => "null".to_owned(),
    };
    let points = match random.below(100) {
        0..62 => random.between(5, 7),
        62..85 => random.between(8, 15),
        85..97 => random.between(16, 40),
        _ => random.between(41, 160),
    };
    let multi = random.below(1_000) == 0;
    let (mut x, mut y) = (-122.51 + random.unit() * 0.14, 37.708 + random.unit() * 0.1);
    let mut ring = String::new();
    let mut first = String::new();
    for point in 0..points {
        x += (random.unit() - 0.5) * 1e-4;
        y += (random.unit() - 0.5) * 1e-4;
        let (x, y) = if random.below(12_000) == 0 { (-122.429_163_609_223_55, y) } else { (x, y) };
        if point == 0 {
            first = format!("{{\"x\":{x},\"y\":{y},\"z\":0.0}}");
        }
        let _ = write!(ring, "{{\"x\":{x},\"y\":{y},\"z\":0.0}},");
    }
    ring.push_str(&first);
    let (open, close) = if multi { ("[[[", "]]]") } else { ("[[", "]]") };
    format!(
        "{{\"type\":\"Feature\",\"properties\":{{\"MAPBLKLOT\":\"{map}\",\"BLKLOT\":\"{own}\",\"BLOCK_NUM\":\"{block}\",\
         \"LOT_NUM\":\"{}\",\"FROM_ST\":\"{from}\",\"TO_ST\":\"{to}\",\"STREET\":\"{street}\",\"ST_TYPE\":{kind},\
         \"ODD_EVEN\":\"{}\"}},\"geometry\":{{\"type\":\"{}\",\"firstCoordinates\":{first},\
         \"coordinates\":{open}{ring}{close}}}}}",
        own.get(4..).unwrap_or_default(),
        if from % 2 == 0 { "E" } else { "O" },
        if multi { "MultiPolygon" } else { "Polygon" },
    )
}

/// A family of rules about lots: one kind of operator each, and two mixtures.
#[derive(Clone, Debug)]
pub struct Family {
    /// What the table calls it.
    pub name: &'static str,
    /// Its patterns.
    pub patterns: Vec<String>,
    /// How many matches there are in the first 10,000 lots.
    pub expected: usize,
}

fn about(path: &[&str], test: &str) -> String {
    path.iter().rev().fold(format!("[{test}]"), |inner, key| format!("{{\"{key}\":{inner}}}"))
}

fn each(path: &[&str], texts: &[&str], test: impl Fn(&str) -> String) -> Vec<String> {
    texts.iter().map(|text| about(path, &test(text))).collect()
}

/// All families, in the order of the table.
#[must_use]
pub fn families() -> Vec<Family> {
    let (street, map, kind) = (["properties", "STREET"], ["properties", "MAPBLKLOT"], ["properties", "ST_TYPE"]);
    let operator = |name: &'static str| move |text: &str| format!("{{\"{name}\":\"{text}\"}}");
    let exact =
        each(&map, &["1430022", "2607117", "2607218", "3745012", "VACSTWIL"], |text: &str| format!("\"{text}\""));
    let prefix = each(&street, &["AC", "BL", "DR", "FU", "RH"], operator("prefix"));
    let suffix = each(&street, &["ON", "KE", "MM", "ING", "GO"], operator("suffix"));
    let mut folds = each(&street, &["jefferson", "bEaCh", "HyDe", "CHESTNUT"], operator("equals-ignore-case"));
    folds.extend(each(&kind, &["st"], operator("equals-ignore-case")));
    let shapes = ["143*", "2*0*1*7", "*218", "3*5*2", "VA*IL"];
    let wildcard = each(&map, &shapes, operator("wildcard"));
    let but_wildcard = each(&map, &shapes, |text| format!("{{\"anything-but\":{{\"wildcard\":\"{text}\"}}}}"));
    let ranges = [
        "\"<\",-122.41600944012424",
        "\">\",-122.41600944012424",
        "\">\",-122.46471267081272,\"<\",-122.4063085128395",
    ];
    let range = |text: &str| format!("{{\"numeric\":[{text}]}}");
    let mut numeric = vec![
        r#"{"geometry":{"type":["Polygon"],"firstCoordinates":{"x":[{"numeric":["=",-122.42916360922355]}]}}}"#
            .to_owned(),
        r#"{"geometry":{"type":["MultiPolygon"],"firstCoordinates":{"z":[{"numeric":["=",0]}]}}}"#.to_owned(),
    ];
    numeric.extend(each(&["geometry", "firstCoordinates", "x"], &ranges, range));
    let mut arrays = vec![
        r#"{"geometry":{"type":["Polygon"],"coordinates":{"x":[{"numeric":["=",-122.42916360922355]}]}}}"#.to_owned(),
        r#"{"geometry":{"type":["MultiPolygon"],"coordinates":{"y":[{"numeric":["<",37.75]}]}}}"#.to_owned(),
    ];
    arrays.extend(each(&["geometry", "coordinates", "x"], &ranges, range));
    let but = |text: &str| format!("{{\"anything-but\":[\"{text}\"]}}");
    let mut anything_but = each(&street, &["FULTON", "MASON"], but);
    anything_but.extend(each(&kind, &["ST"], but));
    anything_but.extend(each(&["geometry", "type"], &["Polygon"], but));
    anything_but.extend(each(&["properties", "FROM_ST"], &["441"], but));
    let core = [&exact, &prefix, &anything_but, &wildcard, &folds].into_iter().flatten().cloned().collect();
    let combo = [&exact, &prefix, &suffix, &folds, &wildcard, &numeric, &anything_but, &but_wildcard, &arrays];
    let combo = combo.into_iter().flatten().cloned().collect();
    [
        ("exact", exact, 29),
        ("prefix", prefix, 149),
        ("suffix", suffix, 1_119),
        ("equals-ignore-case", folds, 5_498),
        ("wildcard", wildcard, 117),
        ("numeric", numeric, 14_167),
        ("anything-but", anything_but, 34_333),
        ("anything-but wildcard", but_wildcard, 49_883),
        ("arrays of objects", arrays, 14_193),
        ("five operators", core, 40_126),
        ("all operators", combo, 119_488),
    ]
    .map(|(name, patterns, expected)| Family { name, patterns, expected })
    .into()
}
