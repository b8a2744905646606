//! A pattern's text, and where each part of it is in the file that it was found in.

use std::ops::Range;

use eventrie::diagnostic::{Code, Finding, Fix, Span};

use crate::changes::{around, narrow};
use crate::escape::unescape_with;

/// The text of a pattern with its place in a file.
#[derive(Clone, Debug)]
pub struct Located {
    pub(crate) text: String,
    map: Map,
}

#[derive(Clone, Debug)]
enum Map {
    /// The text is in the file as it is.
    At(usize),
    /// The text was put together: each piece with its place, the parts that are only known later, those that the file
    /// spells by expressions, and the string literals that spell it, if it is not a structure.
    Pieces { pieces: Vec<Packed>, holes: Vec<(u32, u32)>, opaque: Vec<Opaque>, literals: Vec<Literal> },
}

/// A part of the text that the file spells by an expression, such as `${local.name}`, or by an escaped marker, `$${`.
#[derive(Clone, Debug)]
pub(crate) struct Opaque {
    pub(crate) text: Range<usize>,
    /// The expression.
    pub(crate) raw: String,
}

/// A string literal that spells a pattern's text, or a part of it.
#[derive(Clone, Debug)]
pub(crate) struct Literal {
    /// Where in the text it begins.
    pub(crate) text: usize,
    /// The whole literal in the file, with its quotes.
    pub(crate) file: Range<usize>,
}

/// How a file spells a pattern.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Form<'a> {
    /// As it is.
    Verbatim,
    /// In string literals of another language.
    Literals(&'a [Literal]),
    /// As a structure, from which the text was written.
    Structure,
}

/// A [`Piece`] as it is kept: there may be one for every character. Files are shorter than 4 GiB.
#[derive(Clone, Copy, Debug)]
struct Packed {
    text: (u32, u32),
    file: (u32, u32),
}

impl Packed {
    fn new(piece: &Piece) -> Packed {
        let short = |range: &Range<usize>| (short(range.start), short(range.end));
        Packed { text: short(&piece.text), file: short(&piece.file) }
    }

    fn file(self) -> Range<usize> {
        self.file.0 as usize..self.file.1 as usize
    }
}

fn short(offset: usize) -> u32 {
    u32::try_from(offset).unwrap_or(u32::MAX)
}

/// A stretch of the pattern's text and what it represents in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) text: Range<usize>,
    pub(crate) file: Range<usize>,
    /// A placeholder for something that is only known when the template is deployed.
    pub(crate) hole: bool,
}

impl Located {
    /// The pattern's text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Text that is the file's own from `offset` on.
    #[must_use]
    pub fn verbatim(text: &str, offset: usize) -> Located {
        Located { text: text.to_owned(), map: Map::At(offset) }
    }

    /// A string with pieces in ascending order.
    pub(crate) fn pieces(text: String, pieces: Vec<Piece>) -> Located {
        Located::in_literals(text, pieces, Vec::new())
    }

    /// A string with pieces in ascending order, spelled by these literals.
    pub(crate) fn in_literals(text: String, pieces: Vec<Piece>, literals: Vec<Literal>) -> Located {
        let holes = pieces.iter().filter(|piece| piece.hole && !piece.text.is_empty());
        let holes = holes.map(|piece| (short(piece.text.start), short(piece.text.end))).collect();
        let pieces = pieces.iter().map(Packed::new).collect();
        Located { text, map: Map::Pieces { pieces, holes, opaque: Vec::new(), literals } }
    }

    /// The same with the parts that the file spells by expressions, in ascending order. Such a part is one piece, or
    /// has pieces of its own.
    pub(crate) fn with_opaque(mut self, parts: Vec<Opaque>) -> Located {
        if let Map::Pieces { opaque, .. } = &mut self.map {
            *opaque = parts;
        }
        self
    }

    /// The parts that the file spells by expressions.
    fn opaque(&self) -> &[Opaque] {
        match &self.map {
            Map::At(_) => &[],
            Map::Pieces { opaque, .. } => opaque,
        }
    }

    /// Whether some of these bytes of the text are spelled by an expression; of a place between two bytes, whether it is
    /// inside one.
    pub(crate) fn is_opaque(&self, range: &Range<usize>) -> bool {
        let after = self.opaque().partition_point(|part| part.text.end <= range.start);
        self.opaque().get(after).is_some_and(|part| part.text.start < range.end)
    }

    /// The text inside a JSON string literal: `raw` is the literal, quotes included, standing at `offset`.
    pub(crate) fn unescaped(raw: &str, offset: usize) -> Option<Located> {
        let inner = raw.strip_prefix('"')?.strip_suffix('"')?;
        let mut pieces = Vec::new();
        let text = unescape_with(inner, |text, file| {
            pieces.push(Piece { text, file: offset + 1 + file.start..offset + 1 + file.end, hole: false });
        })?;
        let literal = Literal { text: 0, file: offset..offset + raw.len() };
        Some(Located::in_literals(text, pieces, vec![literal]))
    }

    /// How the file spells the text.
    pub(crate) fn form(&self) -> Form<'_> {
        match &self.map {
            Map::At(_) => Form::Verbatim,
            Map::Pieces { literals, .. } if literals.is_empty() => Form::Structure,
            Map::Pieces { literals, .. } => Form::Literals(literals),
        }
    }

    /// Where in the file the spelling of this byte of the text begins, if something begins there.
    pub(crate) fn begins(&self, at: usize) -> Option<usize> {
        let Map::Pieces { pieces, .. } = &self.map else { return self.verbatim_place(at) };
        let at = short(at);
        self.inside(*pieces.get(pieces.partition_point(|piece| piece.text.1 <= at))?, at)
    }

    /// Where in the file the spelling of what is before this byte of the text ends, if something ends there.
    pub(crate) fn ends(&self, at: usize) -> Option<usize> {
        let Map::Pieces { pieces, .. } = &self.map else { return self.verbatim_place(at) };
        let at = short(at);
        self.inside(*pieces.get(pieces.partition_point(|piece| piece.text.1 < at))?, at)
    }

    /// The place of a boundary of the text that lies in this piece or at one of its ends.
    fn inside(&self, piece: Packed, at: u32) -> Option<usize> {
        let file = piece.file();
        match at {
            _ if at == piece.text.0 => Some(file.start),
            _ if at == piece.text.1 => Some(file.end),
            _ if at < piece.text.0 || !self.is_alike(piece) => None,
            _ => Some(file.start + (at - piece.text.0) as usize),
        }
    }

    /// Whether each byte of the piece is spelled by one byte.
    fn is_alike(&self, piece: Packed) -> bool {
        piece.text.1 - piece.text.0 == piece.file.1 - piece.file.0
            && !self.is_opaque(&(piece.text.0 as usize..piece.text.1 as usize))
    }

    /// The place of one byte of the text.
    fn place(&self, pieces: &[Packed], at: usize) -> Range<usize> {
        let offset = short(at);
        let after = pieces.partition_point(|piece| piece.text.1 <= offset);
        let Some(piece) = pieces.get(after).or(pieces.last()) else { return self.empty() };
        let file = piece.file();
        if offset >= piece.text.1 {
            return file.end..file.end;
        }
        if offset >= piece.text.0 && self.is_alike(*piece) {
            let at = file.start + (offset - piece.text.0) as usize;
            return at..at + 1;
        }
        file
    }

    /// Where the file spells an empty text: the literal.
    fn empty(&self) -> Range<usize> {
        match self.form() {
            Form::Literals([literal, ..]) => literal.file.clone(),
            Form::Literals([]) | Form::Verbatim | Form::Structure => 0..0,
        }
    }

    fn verbatim_place(&self, at: usize) -> Option<usize> {
        let Map::At(offset) = &self.map else { return None };
        (at <= self.text.len()).then_some(offset + at)
    }

    /// The bytes of the file that spell a part of the text.
    #[must_use]
    pub fn range(&self, span: Span) -> Range<usize> {
        let (start, end) = (span.start as usize, span.end as usize);
        match &self.map {
            Map::At(offset) => start + offset..end + offset,
            Map::Pieces { pieces, .. } => {
                let first = self.place(pieces, start);
                let last = if end > start { self.place(pieces, end - 1) } else { first.clone() };
                let end = if end > start || pieces.is_empty() { last.end } else { first.start };
                first.start..end.max(first.start)
            }
        }
    }

    /// The bytes of the file from where the pattern begins to where it ends.
    pub(crate) fn whole(&self) -> Range<usize> {
        self.range(Span::new(0, short(self.text.len())))
    }

    /// The byte of the text that byte `offset` of the file spells; none if the file spells something else there. Right
    /// after the last byte is the end of the text.
    #[must_use]
    pub fn offset_of(&self, offset: usize) -> Option<usize> {
        match &self.map {
            Map::At(start) => offset.checked_sub(*start).filter(|at| *at <= self.text.len()),
            Map::Pieces { pieces, .. } => {
                let at = short(offset);
                let is_inside =
                    |piece: &&Packed| piece.file.0 < piece.file.1 && (piece.file.0..=piece.file.1).contains(&at);
                // Where two meet, the later one begins there.
                let piece = pieces.iter().rfind(|piece| is_inside(piece) && piece.file.1 > at);
                let piece = piece.or_else(|| pieces.iter().rfind(is_inside))?;
                let beyond = if self.is_alike(*piece) {
                    at - piece.file.0
                } else if at == piece.file.1 {
                    piece.text.1 - piece.text.0
                } else {
                    0
                };
                Some((piece.text.0 + beyond) as usize)
            }
        }
    }

    /// Whether some of the text is only known when the template is deployed.
    #[must_use]
    pub fn has_holes(&self) -> bool {
        matches!(&self.map, Map::Pieces { holes, .. } if !holes.is_empty())
    }

    /// Whether a part of the text touches something that is only known when the template is deployed.
    #[must_use]
    pub fn touches_hole(&self, span: Span) -> bool {
        let end = span.end.max(span.start.saturating_add(1));
        match &self.map {
            Map::At(_) => false,
            Map::Pieces { holes, .. } => {
                let after = holes.partition_point(|hole| hole.1 <= span.start);
                holes.get(after).is_some_and(|hole| hole.0 < end)
            }
        }
    }

    /// Whether a finding is sure although parts of the text are only known when the template is deployed: it is about no
    /// such part, or only about the quotes around one, which make it one string whatever is filled in.
    #[must_use]
    pub fn is_sure(&self, finding: &Finding) -> bool {
        let span = finding.label.span;
        if !self.touches_hole(span) {
            return true;
        }
        let is_quoted = self.text.get(span.start as usize..).is_some_and(|text| text.starts_with('"'));
        let quote = Span::new(span.start, span.start + 1);
        finding.code == Code::BareValue && is_quoted && !self.touches_hole(quote)
    }

    /// Whether a part of the text is one value of the file that is only known when the template is deployed, such as
    /// `!Sub "…"`: not for a part of a string that contains the pattern.
    fn is_function(&self, span: Span) -> bool {
        let Map::Pieces { pieces, .. } = &self.map else { return false };
        // Then the fix can be written with the expression.
        if self.is_opaque(&(span.start as usize..span.end as usize)) {
            return false;
        }
        let is_one = pieces.binary_search_by_key(&span.start, |piece| piece.text.0);
        let piece = is_one.ok().and_then(|at| pieces.get(at));
        piece.is_some_and(|piece| piece.text.1 == span.end)
            && self.text.get(span.start as usize..span.end as usize).is_some_and(|text| text.contains("${"))
    }

    /// The fix with expressions where the file has them; none if it changes what an expression spells.
    fn restored(&self, mut fix: Fix) -> Option<Fix> {
        let span = fix.span.start as usize..fix.span.end as usize;
        if !self.is_opaque(&span) {
            return Some(fix);
        }
        let old = self.text.get(span.clone())?;
        let changes =
            around(&span, old, &fix.replacement).unwrap_or_else(|| vec![narrow(&span, old, &fix.replacement)]);
        let (mut text, mut at) = (String::new(), span.start);
        for (range, new) in changes {
            if self.is_opaque(&range) {
                return None;
            }
            self.spell(at..range.start, &mut text)?;
            text.push_str(&new);
            at = range.end;
        }
        self.spell(at..span.end, &mut text)?;
        fix.replacement = text;
        Some(fix)
    }

    /// A part of the text with its expressions; none if it cuts one.
    fn spell(&self, range: Range<usize>, out: &mut String) -> Option<()> {
        let mut at = range.start;
        let first = self.opaque().partition_point(|part| part.text.end <= range.start);
        for part in self.opaque().iter().skip(first).take_while(|part| part.text.start < range.end) {
            if part.text.start < at || part.text.end > range.end {
                return None;
            }
            out.push_str(self.text.get(at..part.text.start)?);
            out.push_str(&part.raw);
            at = part.text.end;
        }
        out.push_str(self.text.get(at..range.end)?);
        Some(())
    }

    /// The finding with its places in the file instead of the pattern's text. What its fix puts there is still a part of
    /// a pattern: where the file is YAML, or has the pattern in a string, [`Document::apply`](crate::Document::apply)
    /// writes it.
    #[must_use]
    pub fn in_file(&self, finding: &Finding) -> Finding {
        let moved = |span: Span| {
            let range = self.range(span);
            Span::new(u32::try_from(range.start).unwrap_or(u32::MAX), u32::try_from(range.end).unwrap_or(u32::MAX))
        };
        let mut finding = finding.clone();
        finding.label.span = moved(finding.label.span);
        for label in &mut finding.context {
            label.span = moved(label.span);
        }
        // JSON in the place of a function of the template would be something else than what was meant.
        finding.fix = finding.fix.take_if(|fix| !self.is_function(fix.span)).and_then(|fix| self.restored(fix));
        if let Some(fix) = &mut finding.fix {
            fix.span = moved(fix.span);
        }
        finding
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_string_literal_maps_back() {
        let file = r#"  "{\"a\":[\"\u00e9x\"]}"  "#;
        let located = Located::unescaped(&file[2..file.len() - 2], 2).unwrap();
        assert_eq!(located.text, "{\"a\":[\"éx\"]}");
        let at = located.text.find('é').unwrap() as u32;
        assert_eq!(&file[located.range(Span::new(at, at + 2))], r"\u00e9");
        assert_eq!(&file[located.range(Span::new(at, at + 3))], r"\u00e9x");
        assert_eq!(&file[located.range(Span::new(1, 4))], r#"\"a\""#);
        let offset = |text: &str| located.offset_of(file.find(text).unwrap());
        assert_eq!((offset(r"\u00e9"), offset("x"), offset("{")), (Some(at as usize), Some(at as usize + 2), Some(0)));
        assert_eq!((located.offset_of(0), located.offset_of(file.len())), (None, None));
        assert_eq!(Located::verbatim("{}", 7).offset_of(8), Some(1));
        assert_eq!(Located::verbatim("{}", 7).offset_of(6), None);
        assert_eq!(located.range(Span::new(13, 13)).len(), 0);
    }
}
