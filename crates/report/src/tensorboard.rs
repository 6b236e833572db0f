//! Training curves as TensorBoard event files.
//!
//! The records and their checksums are written by `tensorboard-rs`. Its own event writer panics in a background thread
//! when the disk is full and names files by the second; here the records go through a plain buffered file, and errors
//! come back.

use crate::{CurvePoint, ReportError};
use protobuf::Message;
use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};
use tensorboard_proto::event::Event;
use tensorboard_rs::record_writer::RecordWriter;
use tensorboard_rs::summary;

/// An event file that grows by scalars.
pub struct ScalarLog {
    records: RecordWriter<BufWriter<File>>,
    path: PathBuf,
    /// Seconds between 1970 and the moment the run's clock was zero.
    origin: f64,
}

impl ScalarLog {
    /// Starts the event file of a run whose training time so far is `elapsed` seconds, and writes the points that it
    /// already has. Event files of earlier sessions in `folder` are replaced, since `points` holds what they held.
    ///
    /// # Errors
    /// Names the file that could not be written.
    pub fn start(folder: &Path, elapsed: f64, points: &[CurvePoint]) -> Result<ScalarLog, ReportError> {
        fs::create_dir_all(folder).map_err(ReportError::io(folder))?;
        let earlier = event_files(folder).map_err(ReportError::io(folder))?;
        let number = earlier.iter().map(|(number, _)| number + 1).max().unwrap_or(0);
        let path = folder.join(format!("events.out.tfevents.{number:010}.doorcard"));
        let file = File::create(&path).map_err(ReportError::io(&path))?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |time| time.as_secs_f64());
        let mut log =
            ScalarLog { records: RecordWriter::new(BufWriter::new(file)), path, origin: now - elapsed };
        let mut version = Event::new();
        version.set_wall_time(log.origin);
        version.set_file_version("brain.Event:2".into());
        log.write(&version)?;
        for point in points {
            log.add(point)?;
        }
        log.flush()?;
        for (_, path) in earlier {
            fs::remove_file(&path).map_err(ReportError::io(&path))?;
        }
        Ok(log)
    }

    /// Adds every number of a point, at its iteration.
    ///
    /// # Errors
    /// Names the file that could not be written.
    pub fn add(&mut self, point: &CurvePoint) -> Result<(), ReportError> {
        for (tag, value) in scalars(point) {
            self.scalar(tag, value, point.iteration, point.seconds)?;
        }
        self.flush()
    }

    /// Adds one number at a step, `seconds` after the run's clock was zero.
    ///
    /// # Errors
    /// Names the file that could not be written.
    pub fn scalar(&mut self, tag: &str, value: f64, step: u64, seconds: f64) -> Result<(), ReportError> {
        let mut event = Event::new();
        event.set_wall_time(self.origin + seconds);
        event.set_step(step as i64);
        event.set_summary(summary::scalar(tag, value as f32));
        self.write(&event)
    }

    /// Hands everything to the operating system, so that a running TensorBoard sees it.
    ///
    /// # Errors
    /// Names the file that could not be written.
    pub fn flush(&mut self) -> Result<(), ReportError> {
        self.records.flush().map_err(ReportError::io(&self.path))
    }

    fn write(&mut self, event: &Event) -> Result<(), ReportError> {
        let bytes = event.write_to_bytes().expect("an event's required fields are set");
        self.records.write(&bytes).map_err(ReportError::io(&self.path))
    }
}

/// The names TensorBoard shows, with units.
fn scalars(point: &CurvePoint) -> [(&'static str, f64); 6] {
    [
        ("coverage/regret_visits_per_infoset", point.regret_visits_per_infoset),
        ("coverage/average_visits_per_infoset", point.average_visits_per_infoset),
        ("coverage/infosets_visited_percent", point.visited * 100.0),
        ("coverage/infosets_averaged_percent", point.averaged * 100.0),
        ("regret/summed_positive_regret_sampled", point.summed_positive_regret),
        ("speed/nodes_per_second", point.nodes_per_second),
    ]
}

/// The event files this module wrote, with their numbers.
fn event_files(folder: &Path) -> io::Result<Vec<(u64, PathBuf)>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let number = path
            .file_name()
            .and_then(|name| name.to_str())
            .and_then(|name| name.strip_prefix("events.out.tfevents."))
            .and_then(|name| name.strip_suffix(".doorcard"))
            .and_then(|number| number.parse().ok());
        if let Some(number) = number {
            files.push((number, path));
        }
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// CRC-32C, bit by bit (polynomial 0x1EDC6F41 reflected), masked as TensorFlow's record format asks.
    fn masked_crc(data: &[u8]) -> u32 {
        let mut crc = !0u32;
        for &byte in data {
            crc ^= u32::from(byte);
            for _ in 0..8 {
                crc = if crc & 1 == 1 { (crc >> 1) ^ 0x82f6_3b78 } else { crc >> 1 };
            }
        }
        (!crc).rotate_right(15).wrapping_add(0xa282_ead8)
    }

    /// Record format: length, its checksum, bytes, their checksum.
    fn read(path: &Path) -> Vec<Event> {
        let data = fs::read(path).unwrap();
        let mut rest = &data[..];
        let mut events = Vec::new();
        while !rest.is_empty() {
            let length = u64::from_le_bytes(rest[..8].try_into().unwrap()) as usize;
            assert_eq!(u32::from_le_bytes(rest[8..12].try_into().unwrap()), masked_crc(&rest[..8]));
            let body = &rest[12..12 + length];
            assert_eq!(
                u32::from_le_bytes(rest[12 + length..16 + length].try_into().unwrap()),
                masked_crc(body)
            );
            events.push(Event::parse_from_bytes(body).unwrap());
            rest = &rest[16 + length..];
        }
        events
    }

    fn point(iteration: u64) -> CurvePoint {
        CurvePoint { iteration, seconds: iteration as f64 / 10.0, ..crate::html::tests::sample().curve[0] }
    }

    #[test]
    fn every_scalar_can_be_read_back() {
        let dir = tempfile::tempdir().unwrap();
        let mut log = ScalarLog::start(dir.path(), 0.0, &[]).unwrap();
        log.add(&point(100)).unwrap();
        log.add(&point(200)).unwrap();
        let files = event_files(dir.path()).unwrap();
        assert_eq!(files.len(), 1);
        let events = read(&files[0].1);
        assert_eq!(events[0].get_file_version(), "brain.Event:2");
        assert_eq!(events.len(), 1 + 2 * 6);
        let last = &events[12];
        assert_eq!(last.get_step(), 200);
        assert!((last.get_wall_time() - events[0].get_wall_time() - 20.0).abs() < 1e-3);
        let value = &last.get_summary().get_value()[0];
        assert_eq!(value.get_tag(), "speed/nodes_per_second");
        assert_eq!(value.get_simple_value(), point(200).nodes_per_second as f32);
    }

    #[test]
    fn a_later_session_replaces_the_file_and_keeps_the_points() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("notes.txt"), "kept").unwrap();
        ScalarLog::start(dir.path(), 0.0, &[]).unwrap().add(&point(300)).unwrap();
        ScalarLog::start(dir.path(), 20.0, &[point(100), point(200)]).unwrap();
        let files = event_files(dir.path()).unwrap();
        assert_eq!(files.len(), 1);
        let steps: Vec<i64> = read(&files[0].1)[1..].iter().map(|event| event.get_step()).collect();
        assert_eq!(steps, [[100; 6], [200; 6]].concat());
        assert!(dir.path().join("notes.txt").exists());
    }

    #[test]
    fn an_unwritable_folder_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("file");
        fs::write(&file, "").unwrap();
        let message = ScalarLog::start(&file, 0.0, &[]).err().unwrap().to_string();
        assert!(message.contains("file"), "{message}");
    }
}
