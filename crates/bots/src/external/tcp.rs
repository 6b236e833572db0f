//! A bot that listens.

use super::connection::Transport;
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

/// A connection to a bot.
pub(super) struct Tcp(TcpStream);

impl Tcp {
    /// Connects to `host:port`.
    ///
    /// # Errors
    /// If the host is not known, or nobody answers there within `limit` at any of its addresses.
    pub(super) fn connect(address: &str, limit: Duration) -> io::Result<Tcp> {
        let mut refused = io::Error::new(io::ErrorKind::NotFound, "the host has no address");
        for address in address.to_socket_addrs()? {
            match TcpStream::connect_timeout(&address, limit) {
                Ok(stream) => {
                    stream.set_nodelay(true)?;
                    return Ok(Tcp(stream));
                }
                Err(error) => refused = error,
            }
        }
        Err(refused)
    }
}

impl Transport for Tcp {
    fn send(&mut self, mut bytes: &[u8], deadline: Instant) -> io::Result<()> {
        while !bytes.is_empty() {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(io::ErrorKind::TimedOut.into());
            }
            self.0.set_write_timeout(Some(left))?;
            match self.0.write(bytes) {
                Ok(sent) => bytes = &bytes[sent..],
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn receive(&mut self, buffer: &mut [u8], deadline: Instant) -> io::Result<usize> {
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let received = if left.is_zero() {
                self.0.set_nonblocking(true)?;
                let received = self.0.read(buffer);
                self.0.set_nonblocking(false)?;
                received
            } else {
                self.0.set_read_timeout(Some(left))?;
                self.0.read(buffer)
            };
            match received {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                received => return received,
            }
        }
    }

    fn end(&mut self) -> String {
        "the connection was closed".into()
    }

    fn hang_up(&mut self) {
        // A connection that is gone already needs no goodbye.
        let _ = self.0.shutdown(Shutdown::Write);
    }

    /// The bot lives on, only the connection ends.
    fn wait(&mut self, _: Instant) {}
}
