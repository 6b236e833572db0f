//! One line to a bot, one line back, within limits of time and length.

use super::faults::{Fault, FaultKind};
use std::io;
use std::time::{Duration, Instant};

/// The longest reply. Units: bytes.
pub const MAX_LINE: usize = 64 << 10;

/// Bytes to a bot and back.
///
/// Dropping it ends the bot's process or closes the connection.
pub(super) trait Transport: Send {
    /// Sends all of `bytes`.
    ///
    /// # Errors
    /// [`io::ErrorKind::TimedOut`] or [`io::ErrorKind::WouldBlock`] after the deadline.
    fn send(&mut self, bytes: &[u8], deadline: Instant) -> io::Result<()>;

    /// Receives what has come, or waits for something until the deadline; what is there is received even after it.
    /// 0 bytes are the end.
    ///
    /// # Errors
    /// As [`Transport::send`].
    fn receive(&mut self, buffer: &mut [u8], deadline: Instant) -> io::Result<usize>;

    /// What is known about why the other side ended.
    fn end(&mut self) -> String;

    /// Says that there will be no more requests, so that the bot can end by itself.
    fn hang_up(&mut self);

    /// Waits for the bot to end by itself.
    fn wait(&mut self, deadline: Instant);
}

/// A bot that can be asked.
pub(super) struct Connection {
    transport: Box<dyn Transport>,
    /// How many requests were sent.
    pub(super) requests: u64,
}

impl Connection {
    pub(super) fn new(transport: Box<dyn Transport>) -> Connection {
        Connection { transport, requests: 0 }
    }

    /// Sends a line and returns the line that comes back, without the line break and blanks at its ends.
    ///
    /// # Errors
    /// The bot took too long, ended, or wrote more than one line. It is not worth asking again: nobody could tell
    /// which of its later lines answers what.
    pub(super) fn exchange(&mut self, line: &[u8], limit: Duration) -> Result<Vec<u8>, Fault> {
        self.expect_silence()?;
        self.requests += 1;
        let deadline = Instant::now() + limit;
        if let Err(error) = self.transport.send(line, deadline) {
            return Err(self.broken(&error, limit));
        }
        let mut text = Vec::new();
        let mut chunk = [0; 4096];
        while text.len() <= MAX_LINE {
            match self.transport.receive(&mut chunk, deadline) {
                Ok(0) => return Err(self.ended()),
                Ok(n) => text.extend_from_slice(&chunk[..n]),
                Err(error) => return Err(self.broken(&error, limit)),
            }
            if let Some(line) = only_line(&text)? {
                return Ok(line.to_vec());
            }
        }
        Err(Fault::new(FaultKind::Flooded, format_args!("a reply of more than {MAX_LINE} bytes")))
    }

    /// Makes sure that nothing has come that nobody asked for; empty lines do no harm.
    fn expect_silence(&mut self) -> Result<(), Fault> {
        let now = Instant::now();
        let mut blanks = 0;
        let mut chunk = [0; 4096];
        loop {
            match self.transport.receive(&mut chunk, now) {
                Ok(0) => return Err(self.ended()),
                Ok(n) => {
                    blanks += n;
                    if blanks > MAX_LINE || !chunk[..n].trim_ascii().is_empty() {
                        return Err(unasked(&chunk[..n]));
                    }
                }
                Err(error) if is_timeout(&error) => return Ok(()),
                Err(error) => return Err(self.broken(&error, Duration::ZERO)),
            }
        }
    }

    fn broken(&mut self, error: &io::Error, limit: Duration) -> Fault {
        match error.kind() {
            _ if is_timeout(error) => {
                Fault::new(FaultKind::TimedOut, format_args!("no reply within {} s", limit.as_secs_f64()))
            }
            io::ErrorKind::BrokenPipe => self.ended(),
            _ => Fault::new(FaultKind::Ended, error),
        }
    }

    fn ended(&mut self) -> Fault {
        Fault::new(FaultKind::Ended, self.transport.end())
    }

    /// As [`Transport::hang_up`].
    pub(super) fn hang_up(&mut self) {
        self.transport.hang_up();
    }

    /// Waits for the bot to end by itself and ends it otherwise.
    pub(super) fn finish(mut self, deadline: Instant) {
        self.transport.wait(deadline);
    }
}

/// The line in `text`, if it has come to its end and nothing but blanks is around it.
fn only_line(text: &[u8]) -> Result<Option<&[u8]>, Fault> {
    let text = text.trim_ascii_start();
    let Some(end) = text.iter().position(|&byte| byte == b'\n') else { return Ok(None) };
    match text[end..].trim_ascii() {
        [] => Ok(Some(text[..end].trim_ascii_end())),
        more => Err(unasked(more)),
    }
}

fn unasked(text: &[u8]) -> Fault {
    Fault::new(FaultKind::Flooded, format_args!("more than the one line asked for: {}", quoted(text)))
}

/// The beginning of what a bot wrote, fit for a terminal.
pub(super) fn quoted(text: &[u8]) -> String {
    const SHOWN: usize = 80;
    let start = String::from_utf8_lossy(&text[..text.len().min(SHOWN)]);
    let start = start.escape_debug().to_string().replace("\\\"", "\"");
    let dots = if text.len() > SHOWN { "..." } else { "" };
    format!("'{start}'{dots}")
}

pub(super) fn is_timeout(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::VecDeque;

    /// What comes, one piece at a time; nothing after the last but silence.
    struct Script(VecDeque<&'static [u8]>);

    impl Transport for Script {
        fn send(&mut self, _: &[u8], _: Instant) -> io::Result<()> {
            Ok(())
        }

        /// Before a request all is silent: its deadline has passed.
        fn receive(&mut self, buffer: &mut [u8], deadline: Instant) -> io::Result<usize> {
            if deadline <= Instant::now() {
                return Err(io::ErrorKind::WouldBlock.into());
            }
            let piece = self.0.pop_front().ok_or(io::ErrorKind::TimedOut)?;
            buffer[..piece.len()].copy_from_slice(piece);
            Ok(piece.len())
        }

        fn end(&mut self) -> String {
            "over".into()
        }

        fn hang_up(&mut self) {}

        fn wait(&mut self, _: Instant) {}
    }

    fn ask(pieces: &[&'static [u8]]) -> Result<Vec<u8>, Fault> {
        let script = Script(pieces.iter().copied().collect());
        Connection::new(Box::new(script)).exchange(b"{}\n", Duration::from_secs(600))
    }

    #[test]
    fn lines_come_in_pieces_and_with_blanks_around_them() {
        assert_eq!(ask(&[b"abc\n"]).unwrap(), b"abc");
        assert_eq!(ask(&[b"a", b"b", b"c\r", b"\n"]).unwrap(), b"abc");
        assert_eq!(ask(&[b"\n \n", b"abc \n\n"]).unwrap(), b"abc");
    }

    #[test]
    fn what_is_no_single_line_is_a_fault() {
        let kind = |pieces: &[&'static [u8]]| ask(pieces).unwrap_err().kind;
        assert_eq!(kind(&[b"abc\ndef\n"]), FaultKind::Flooded);
        assert_eq!(kind(&[b"abc\nd"]), FaultKind::Flooded);
        assert_eq!(kind(&[b"abc"]), FaultKind::TimedOut);
        assert_eq!(kind(&[b"abc", b""]), FaultKind::Ended);
        static LONG: [u8; 4096] = [b'x'; 4096];
        static BLANK: [u8; 4096] = [b'\n'; 4096];
        for piece in [&LONG, &BLANK] {
            // One piece more than the limit has; none of them is read after the first beyond it.
            let pieces = [&piece[..]; MAX_LINE / 4096 + 1];
            assert_eq!(kind(&pieces), FaultKind::Flooded);
            assert_eq!(kind(&pieces[1..]), FaultKind::TimedOut);
        }
    }

    #[test]
    fn what_a_bot_wrote_is_shown_short_and_escaped() {
        assert_eq!(quoted(b"{\"a\x1b[2J\n"), r#"'{"a\u{1b}[2J\n'"#);
        assert_eq!(quoted(&[b'x'; 100]), format!("'{}'...", "x".repeat(80)));
        assert_eq!(quoted(b"\xff"), "'\u{fffd}'");
    }
}
