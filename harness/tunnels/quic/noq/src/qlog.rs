//! The log of a connection (draft-ietf-quic-qlog-main-schema), a JSON text sequence (RFC 7464) in a file of its own.

use std::fs::File;
use std::io::{BufWriter, Result, Write};
use std::net::SocketAddr;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use noq::{ConnectionId, QlogConfig, QlogFactory, Side};

/// Its timers are more than half of what noq tells, and nobody asks for them.
const LEFT_OUT: &[u8] = b"timer_updated";

/// The file that both the connection and the one who ends it write to.
#[derive(Clone)]
pub struct Log(Arc<Mutex<Records<BufWriter<File>>>>);

impl Log {
    /// Makes the folder where there is none. The error is a line for people.
    pub fn create(folder: &Path, name: &str) -> std::result::Result<Log, String> {
        let file = folder.join(format!("{name}.qlog"));
        std::fs::create_dir_all(folder)
            .and_then(|()| File::create(&file))
            .map(|file| Log(Arc::new(Mutex::new(Records { out: BufWriter::new(file), record: Vec::new() }))))
            .map_err(|error| format!("cannot write {}: {error}", file.display()))
    }

    pub fn finish(&self) {
        // a log that cannot be written ends no tunnel
        let _ = self.0.lock().unwrap_or_else(PoisonError::into_inner).out.flush();
    }
}

impl QlogFactory for Log {
    fn for_connection(&self, _: Side, _: SocketAddr, _: ConnectionId, _: Instant) -> Option<QlogConfig> {
        Some(QlogConfig::new(Box::new(self.clone())))
    }
}

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).write(bytes)
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}

/// Passes on whole records, each with its line's end, but for those that are left out.
struct Records<W> {
    out: W,
    record: Vec<u8>,
}

impl<W: Write> Write for Records<W> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.record.extend_from_slice(part);
            if part.ends_with(b"\n") {
                let is_left_out = self.record.windows(LEFT_OUT.len()).any(|window| window == LEFT_OUT);
                if !is_left_out {
                    self.out.write_all(&self.record)?;
                }
                self.record.clear();
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_stay_whole_and_timers_are_left_out() {
        let mut records = Records { out: Vec::new(), record: Vec::new() };
        for part in
            ["\u{1e}{\"name\":\"quic:pack", "et_sent\"}\n\u{1e}{\"name\":\"quic:timer_up", "dated\"}\n\u{1e}{\"a\":1}\n\u{1e}{\"half"]
        {
            records.write_all(part.as_bytes()).unwrap();
        }
        assert_eq!(String::from_utf8(records.out).unwrap(), "\u{1e}{\"name\":\"quic:packet_sent\"}\n\u{1e}{\"a\":1}\n");
    }
}
