//! The pages of the codes that reading a pattern raises, one file for each.

use crate::diagnostic::Code;

/// The page of a code of this room.
pub(crate) fn page(code: Code) -> Option<&'static str> {
    Some(match code {
        Code::Syntax => include_str!("pages/E0001.md"),
        Code::LimitExceeded => include_str!("pages/E0002.md"),
        Code::NotAnObject => include_str!("pages/E0003.md"),
        Code::EmptyObject => include_str!("pages/E0004.md"),
        Code::EmptyList => include_str!("pages/E0005.md"),
        Code::BareValue => include_str!("pages/E0006.md"),
        Code::NestedList => include_str!("pages/E0007.md"),
        Code::MissingOperator => include_str!("pages/E0008.md"),
        Code::UnknownOperator => include_str!("pages/E0009.md"),
        Code::SeveralOperators => include_str!("pages/E0010.md"),
        Code::WrongOperand => include_str!("pages/E0011.md"),
        Code::BadWildcard => include_str!("pages/E0012.md"),
        Code::BadNumeric => include_str!("pages/E0013.md"),
        Code::EmptyRange => include_str!("pages/E0014.md"),
        Code::InexactNumber => include_str!("pages/E0015.md"),
        Code::BadAnythingBut => include_str!("pages/E0016.md"),
        Code::BadCidr => include_str!("pages/E0017.md"),
        Code::BadOr => include_str!("pages/E0018.md"),
        Code::ReservedName => include_str!("pages/E0019.md"),
        Code::NotInDialect => include_str!("pages/E0020.md"),
        Code::ShapeNotInDialect => include_str!("pages/E0021.md"),
        Code::TooComplex => include_str!("pages/E0022.md"),
        Code::SetByService => include_str!("pages/E0023.md"),
        Code::RootArray => include_str!("pages/W0104.md"),
        _ => return None,
    })
}
