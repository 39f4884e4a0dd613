//! Numbers out of bytes, all equally likely.

use chacha20::ChaCha20;
use chacha20::cipher::{KeyIvInit, StreamCipher};

/// A number from 0 to one below `choices`, which is not 0. A byte from the incomplete last run of
/// `choices` values is thrown away: the rest would favour small numbers.
pub(crate) fn draw(bytes: &mut impl Iterator<Item = u8>, choices: u8) -> u8 {
    let whole = 256 - 256 % u16::from(choices);
    let byte = bytes.find(|&byte| u16::from(byte) < whole);
    byte.expect("streams do not end within the bytes that draws take") % choices
}

/// The key stream of `ChaCha20` as in RFC 8439: nonce 0, blocks counted from 0.
pub(crate) fn keystream(key: &[u8; 32]) -> impl Iterator<Item = u8> {
    let mut cipher = ChaCha20::new(key.into(), &[0; 12].into());
    let block = move || {
        let mut block = [0; 64];
        cipher.apply_keystream(&mut block);
        block
    };
    std::iter::repeat_with(block).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytes::to_hex;

    /// RFC 8439, appendix A.1, test vectors 1 and 2.
    #[test]
    fn the_stream_is_that_of_the_rfc() {
        let stream: Vec<u8> = keystream(&[0; 32]).take(128).collect();
        assert_eq!(
            to_hex(&stream[..64]),
            "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7\
             da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586"
        );
        assert_eq!(
            to_hex(&stream[64..]),
            "9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed\
             29b721769ce64e43d57133b074d839d531ed1f28510afb45ace10a1f4b794d6f"
        );
    }

    /// Every byte that counts is as good as every other, for every number of choices.
    #[test]
    fn all_numbers_have_as_many_bytes() {
        for choices in 1..=255u8 {
            let mut times = vec![0u16; usize::from(choices)];
            for byte in 0..=255u8 {
                // A byte that is thrown away asks for a second one, which is told by its value.
                let mut taken = 0;
                let mut bytes = [byte, 0].into_iter().inspect(|_| taken += 1);
                let drawn = draw(&mut bytes, choices);
                drop(bytes);
                if taken == 1 {
                    times[usize::from(drawn)] += 1;
                }
            }
            let runs = 256 / u16::from(choices);
            assert!(times.iter().all(|&count| count == runs), "{choices}: {times:?}");
        }
    }
}
