//! W0026: an address block that begins before the address written.

use super::site::{Out, note};
use crate::diagnostic::{Applicability, Code};
use crate::pattern::ast::Operand;
use crate::value::{Address, AddressBlock, Family};

pub(super) const PAGE: &str = r##"## W0026: an address block that begins at another address

Only the bits covered by the mask count, so the block begins at a smaller address than the one written.

**Why it matters.** The block also matches addresses below the one written.

```bad eventbridge
{"detail": {"ip": [{"cidr": "2001:db8::77/64"}]}}
```

Use instead:

```good eventbridge
{"detail": {"ip": [{"cidr": "2001:db8::/64"}]}}
```
"##;

pub(super) fn check(operand: &Operand, block: AddressBlock, out: &mut Out<'_>) {
    let Ok(address) = Address::parse(AddressBlock::address_part(&operand.text).as_bytes()) else { return };
    if address.bits == block.low {
        return;
    }
    let bits = operand.text.rsplit('/').find(|part| !part.is_empty()).unwrap_or("");
    let network = match block.family {
        Family::V4 => std::net::Ipv4Addr::from(u32::try_from(block.low).unwrap_or(0)).to_string(),
        Family::V6 => std::net::Ipv6Addr::from(block.low).to_string(),
    };
    let text = format!("{network}/{bits}");
    if AddressBlock::parse(&text) != Ok(block) {
        return;
    }
    out.push(
        note(Code::HostBits, operand.span, format!("the block begins at `{network}`, not at the address written"))
            .label("bits after the mask do not count")
            .fix("write the first address", operand.span, format!("\"{text}\""), Applicability::Safe),
    );
}
