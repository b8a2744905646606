//! gzip: where a member begins, and what may follow one.

use std::io::{self, BufRead, Read};

use flate2::bufread::GzDecoder;

use super::members::Members;

/// How a packed text begins.
pub(super) const MAGIC: [u8; 2] = [0x1f, 0x8b];

/// Unpacks every member. As with gzip itself, zeros may follow the last one: tapes and some tools pad files with them.
pub(super) fn reader<R: BufRead>(packed: R) -> impl Read {
    Members::new(packed, member, GzDecoder::into_inner)
}

fn member<R: BufRead>(mut packed: R) -> io::Result<Option<GzDecoder<R>>> {
    skip_zeros(&mut packed)?;
    match packed.fill_buf()?.first() {
        None => Ok(None),
        Some(first) if *first == MAGIC[0] => Ok(Some(GzDecoder::new(packed))),
        Some(_) => Err(io::Error::other("other bytes follow the packed data")),
    }
}

fn skip_zeros(packed: &mut impl BufRead) -> io::Result<()> {
    loop {
        let bytes = packed.fill_buf()?;
        let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
        let is_all = zeros == bytes.len();
        packed.consume(zeros);
        if zeros == 0 || !is_all {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::super::unpack;

    fn packed(text: &str) -> Vec<u8> {
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        packer.write_all(text.as_bytes()).unwrap();
        packer.finish().unwrap()
    }

    fn unpacked(bytes: &[u8]) -> Result<String, String> {
        let mut text = String::new();
        match unpack(bytes).and_then(|mut reader| reader.read_to_string(&mut text)) {
            Ok(_) => Ok(text),
            Err(error) => Err(error.to_string()),
        }
    }

    #[test]
    fn what_may_follow_a_member() {
        let one = packed("one");
        for (after, expected) in [
            (Vec::new(), Ok("one")),
            (packed("two"), Ok("onetwo")),
            (vec![0; 3], Ok("one")),
            (vec![0; 100_000], Ok("one")),
            ([vec![0; 512], packed("two")].concat(), Ok("onetwo")),
            (b"x".to_vec(), Err("not valid gzip: other bytes follow the packed data")),
            (b"junk that is longer than a header".to_vec(), Err("not valid gzip: other bytes follow the packed data")),
            ([vec![0; 512], b"x".to_vec()].concat(), Err("not valid gzip: other bytes follow the packed data")),
            (packed("two")[..12].to_vec(), Err("the file ends inside its gzip data: it is incomplete")),
        ] {
            let whole = [one.clone(), after].concat();
            assert_eq!(unpacked(&whole), expected.map(str::to_owned).map_err(str::to_owned));
        }
        assert_eq!(unpacked(&one[..12]).unwrap_err(), "the file ends inside its gzip data: it is incomplete");
    }
}
