//! A bot that is a program of its own, spoken to over its standard input and output.
//!
//! Its standard error is ours, so that what it has to say to its author is seen. Each program runs in a process group
//! of its own: Ctrl-C at the terminal is for us, and ending the group ends whatever the program has started.

use super::connection::Transport;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, ioctl_fionbio};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, WaitIdStatus, kill_process_group, waitid};
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long a program that closed its output is given to end, to learn its exit code.
const LAST_WORDS: Duration = Duration::from_millis(100);

/// A running program.
pub(super) struct Process {
    child: Child,
    group: Pid,
    stdin: Option<ChildStdin>,
    stdout: ChildStdout,
}

/// The process groups that run, for [`kill_all`].
static RUNNING: Mutex<Running> = Mutex::new(Running { closed: false, groups: Vec::new() });

struct Running {
    closed: bool,
    groups: Vec<Pid>,
}

fn running() -> std::sync::MutexGuard<'static, Running> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Kills all programs and lets no more start: before a process exits without dropping its bots.
pub(super) fn kill_all() {
    let mut running = running();
    running.closed = true;
    for group in running.groups.drain(..) {
        // One that has ended by itself is as good.
        let _ = kill_process_group(group, Signal::KILL);
    }
}

impl Process {
    /// Starts a program with its arguments.
    ///
    /// # Errors
    /// If there is no such program or it cannot be run.
    pub(super) fn start(program: &str, arguments: &[String]) -> io::Result<Process> {
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).process_group(0);
        let (child, group) = {
            let mut running = running();
            if running.closed {
                return Err(io::Error::other("doorcard is about to end"));
            }
            let child = command.spawn()?;
            let group = Pid::from_child(&child);
            running.groups.push(group);
            (child, group)
        };
        let mut child = child;
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take().expect("output is piped"));
        let process = Process { child, group, stdin, stdout };
        ioctl_fionbio(process.stdin.as_ref().expect("input is piped"), true)?;
        ioctl_fionbio(&process.stdout, true)?;
        Ok(process)
    }

    /// How the program ended, if it has. It stays a zombie, so that its number remains its own until it is killed.
    fn ended(&self) -> Option<WaitIdStatus> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        waitid(WaitId::Pid(self.group), options).ok().flatten()
    }

    fn wait_until(&self, deadline: Instant) -> Option<WaitIdStatus> {
        loop {
            let ended = self.ended();
            if ended.is_some() || Instant::now() >= deadline {
                return ended;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        {
            let mut running = running();
            if let Some(place) = running.groups.iter().position(|&group| group == self.group) {
                running.groups.swap_remove(place);
                // The leader may have ended, but not what it started.
                let _ = kill_process_group(self.group, Signal::KILL);
            }
        }
        let _ = self.child.wait();
    }
}

impl Transport for Process {
    fn send(&mut self, mut bytes: &[u8], deadline: Instant) -> io::Result<()> {
        let stdin = self.stdin.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        while !bytes.is_empty() {
            match stdin.write(bytes) {
                Ok(sent) => bytes = &bytes[sent..],
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    wait_for(&*stdin, PollFlags::OUT, deadline)?;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn receive(&mut self, buffer: &mut [u8], deadline: Instant) -> io::Result<usize> {
        loop {
            match self.stdout.read(buffer) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    wait_for(&self.stdout, PollFlags::IN, deadline)?;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                received => return received,
            }
        }
    }

    fn end(&mut self) -> String {
        let status = self.wait_until(Instant::now() + LAST_WORDS);
        let code = status.as_ref().and_then(WaitIdStatus::exit_status);
        let signal = status.as_ref().and_then(WaitIdStatus::terminating_signal);
        match (code, signal) {
            (Some(code), _) => format!("the program ended with exit code {code}"),
            (_, Some(signal)) => format!("the program was ended by signal {signal}"),
            _ => "the program closed its standard input or output".into(),
        }
    }

    fn hang_up(&mut self) {
        self.stdin = None;
    }

    fn wait(&mut self, deadline: Instant) {
        self.wait_until(deadline);
    }
}

/// Waits until a pipe can be read or written, or its other end is gone.
fn wait_for(pipe: impl AsFd, what: PollFlags, deadline: Instant) -> io::Result<()> {
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        let timeout = Timespec::try_from(left).map_err(io::Error::other)?;
        match poll(&mut [PollFd::new(&pipe, what)], Some(&timeout)) {
            Ok(0) | Err(Errno::INTR) => {}
            Ok(_) => return Ok(()),
            Err(error) => return Err(error.into()),
        }
    }
}
