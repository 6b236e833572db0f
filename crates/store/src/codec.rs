//! Headers as bytes: the one module that knows bincode.
//!
//! Bincode's project has ended; 2.0.1 is pinned, its format is documented and small (variable-length
//! integers, lengths before lists), and replacing it would touch nothing but this module.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// No header is longer; a decoder never allocates more. Units: bytes.
pub(crate) const MAX_HEADER: usize = 16 << 20;

fn config() -> impl bincode::config::Config {
    bincode::config::standard().with_limit::<MAX_HEADER>()
}

/// The bytes of a header.
///
/// # Panics
/// If the value's serde implementation fails (a sequence without a length, for example).
pub(crate) fn encode<H: Serialize>(header: &H) -> Vec<u8> {
    let bytes = bincode::serde::encode_to_vec(header, config()).expect("a header serde can encode");
    assert!(bytes.len() <= MAX_HEADER, "a header of {} bytes", bytes.len());
    bytes
}

/// The header in `bytes`, all of which must be used.
pub(crate) fn decode<H: DeserializeOwned>(bytes: &[u8]) -> Result<H, String> {
    match bincode::serde::decode_from_slice(bytes, config()) {
        Ok((header, used)) if used == bytes.len() => Ok(header),
        Ok((_, used)) => Err(format!("{} bytes left over", bytes.len() - used)),
        Err(error) => Err(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_larger_than_the_bytes_is_an_error_not_an_allocation() {
        // 253 announces a 64-bit length, here 2^63.
        let bytes = [253, 0, 0, 0, 0, 0, 0, 0, 128];
        assert!(decode::<Vec<u64>>(&bytes).is_err());
        assert!(decode::<String>(&bytes).is_err());
    }

    #[test]
    fn leftover_bytes_are_an_error() {
        let mut bytes = encode(&(1u8, "x"));
        assert_eq!(decode::<(u8, String)>(&bytes), Ok((1, "x".to_string())));
        bytes.push(0);
        assert!(decode::<(u8, String)>(&bytes).is_err());
    }
}
