//! Lines from standard input, answered one by one. A wrong line is answered too, and never more
//! of a line is kept than can be one.

use std::io::{self, BufRead, Read};

/// No hand takes more bytes than this, however it is written.
const LONGEST_LINE: usize = 1024;

/// Calls `answer` with the number of each line, counted from 1, and its bytes without the end of
/// line, or with what is wrong with it.
pub(crate) fn each_line(
    mut input: impl BufRead,
    mut answer: impl FnMut(usize, Result<&str, String>) -> io::Result<()>,
) -> io::Result<()> {
    let mut line = Vec::with_capacity(LONGEST_LINE + 2);
    let mut number = 0;
    loop {
        line.clear();
        let read = input.by_ref().take(LONGEST_LINE as u64 + 2).read_until(b'\n', &mut line)?;
        if read == 0 {
            return Ok(());
        }
        number += 1;
        let ended = line.last() == Some(&b'\n');
        if ended {
            line.pop();
        }
        if line.last() == Some(&b'\r') {
            line.pop();
        }
        if line.len() > LONGEST_LINE {
            if !ended {
                input.skip_until(b'\n')?;
            }
            answer(number, Err(format!("the line is longer than {LONGEST_LINE} bytes")))?;
            continue;
        }
        match std::str::from_utf8(&line) {
            // Some editors begin a file with a mark that is no text.
            Ok(text) if number == 1 => answer(number, Ok(text.trim_start_matches('\u{feff}')))?,
            Ok(text) => answer(number, Ok(text))?,
            Err(error) => {
                let place = error.valid_up_to();
                let byte = line[place];
                answer(number, Err(format!("not text: byte {} is 0x{byte:02x}", place + 1)))?;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers(input: &[u8]) -> Vec<(usize, Result<String, String>)> {
        let mut answers = vec![];
        each_line(input, |number, line| {
            answers.push((number, line.map(str::to_string)));
            Ok(())
        })
        .unwrap();
        answers
    }

    #[test]
    fn lines_end_in_any_way() {
        let lines = answers(b"one\r\n\ntwo");
        let expected = [(1, "one"), (2, ""), (3, "two")];
        assert_eq!(lines, expected.map(|(number, text)| (number, Ok(text.to_string()))));
        assert!(answers(b"").is_empty());
        assert_eq!(answers("\u{feff}one".as_bytes()), [(1, Ok("one".to_string()))]);
    }

    #[test]
    fn what_is_not_text_is_named_and_the_rest_goes_on() {
        let lines = answers(b"one\nA\xffh\nthree\n");
        assert_eq!(lines[1], (2, Err("not text: byte 2 is 0xff".to_string())));
        assert_eq!(lines[2], (3, Ok("three".to_string())));
    }

    #[test]
    fn an_endless_line_is_passed_over() {
        let mut input = vec![b'A'; 5000];
        input.extend(b"\nnext\n");
        let lines = answers(&input);
        assert_eq!(lines[0], (1, Err("the line is longer than 1024 bytes".to_string())));
        assert_eq!(lines[1], (2, Ok("next".to_string())));
        let exact = vec![b'A'; LONGEST_LINE];
        assert_eq!(answers(&exact)[0].1.as_ref().map(String::len), Ok(LONGEST_LINE));
    }
}
