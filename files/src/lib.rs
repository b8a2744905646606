//! Reads files for eventrie: finds event patterns and filter policies in templates, plans and rule files, and splits
//! streams of events.
//!
//! Patterns rarely live alone: they are parts of CloudFormation templates, of `terraform show -json`, of Serverless
//! Framework files, of what `aws events list-rules` prints. [`Document::read`] finds them, each with the dialect of its
//! place, and [`Located`] maps every finding in a pattern back to its bytes in the file.
//!
//! Events come as lines, as documents, or as one array, plain or packed: [`EventStream`] splits them in constant memory.
//!
//! Nothing here opens a file or prints a line, so the same code serves the command line, the browser and editors.
//!
//! ```
//! use eventrie::Pattern;
//! use eventrie_files::{Document, Expected, SourceFile};
//!
//! let template = "\
//! Resources:
//!   Rule:
//!     Type: AWS::Events::Rule
//!     Properties:
//!       EventPattern:
//!         source: aws.ec2
//! ";
//! let document = Document::read(SourceFile::new("template.yaml", template), Expected::Anything)?;
//! let found = &document.patterns()[0];
//! assert_eq!(document.name_of(found), "Resources.Rule.Properties.EventPattern");
//!
//! let dialect = found.dialect().unwrap();
//! let error = Pattern::parse(found.pattern().text(), dialect).unwrap_err();
//! let finding = found.pattern().in_file(&error.findings()[0]);
//! assert_eq!(&template[finding.label.span.start as usize..][..7], "aws.ec2");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod changes;
mod document;
mod edit;
pub mod envelope;
mod error;
mod escape;
mod events;
mod located;
mod packed;
mod path;
mod places;
mod recognize;
mod rules;
mod source;
mod state;
pub mod tree;
mod work;

pub use document::{Document, EVENT_FILE, Expected, Found, Kind};
pub use edit::{Applied, Edit, NotApplied};
pub use error::FileError;
pub use escape::unescape;
pub use events::{EventItem, EventStream};
pub use located::Located;
pub use path::Path;
pub use places::{Subscriber, SubscriberFilter};
pub use source::SourceFile;
pub use state::RuleState;
#[cfg(feature = "count-work")]
pub use work::counted;
