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

/// What noq 1.4 writes at the head of a log otherwise than draft-ietf-quic-qlog-main-schema-13 asks for, or leaves empty.
/// The events are those of draft-ietf-quic-qlog-quic-events-12; their times are of a clock that begins with the log.
/// qvis opens no log without a version and a format of qlog 0.3.
const HEAD: [(&str, &str); 3] = [
    (
        r#""serialization_format":"JSON-SEQ""#,
        r#""serialization_format":"application/qlog+json-seq","qlog_version":"0.3","qlog_format":"JSON-SEQ""#,
    ),
    (r#""event_schemas":[]"#, r#""event_schemas":["urn:ietf:params:qlog:events:quic-12"]"#),
    (r#""clock_type":"","epoch":"""#, r#""clock_type":"monotonic","epoch":"unknown""#),
];

/// The file that both the connection and the one who ends it write to.
#[derive(Clone)]
pub struct Log(Arc<Mutex<Records<BufWriter<File>>>>);

impl Log {
    /// Makes the folder where there is none. The error is a line for people.
    pub fn create(folder: &Path, name: &str) -> std::result::Result<Log, String> {
        let file = folder.join(format!("{name}.qlog"));
        std::fs::create_dir_all(folder)
            .and_then(|()| File::create(&file))
            .map(|file| Log(Arc::new(Mutex::new(Records::new(BufWriter::new(file))))))
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

/// Passes on whole records, each with its line's end: the first as a head, the others but for those that are left out.
struct Records<W> {
    out: W,
    record: Vec<u8>,
    has_head: bool,
}

impl<W: Write> Records<W> {
    fn new(out: W) -> Self {
        Records { out, record: Vec::new(), has_head: false }
    }

    fn pass(&mut self) -> Result<()> {
        if !self.has_head {
            self.has_head = true;
            let head = String::from_utf8_lossy(&self.record).into_owned();
            let mended = HEAD.iter().fold(head, |head, (written, meant)| head.replace(written, meant));
            return self.out.write_all(mended.as_bytes());
        }
        let is_left_out = self.record.windows(LEFT_OUT.len()).any(|window| window == LEFT_OUT);
        if is_left_out { Ok(()) } else { self.out.write_all(&self.record) }
    }
}

impl<W: Write> Write for Records<W> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.record.extend_from_slice(part);
            if part.ends_with(b"\n") {
                self.pass()?;
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

    fn written(parts: &[&str]) -> String {
        let mut records = Records::new(Vec::new());
        for part in parts {
            records.write_all(part.as_bytes()).unwrap();
        }
        String::from_utf8(records.out).unwrap()
    }

    #[test]
    fn records_stay_whole_and_timers_are_left_out() {
        let parts = [
            "\u{1e}{\"head\":1}\n",
            "\u{1e}{\"name\":\"quic:pack",
            "et_sent\"}\n\u{1e}{\"name\":\"quic:timer_up",
            "dated\"}\n\u{1e}{\"a\":1}\n\u{1e}{\"half",
        ];
        assert_eq!(written(&parts), "\u{1e}{\"head\":1}\n\u{1e}{\"name\":\"quic:packet_sent\"}\n\u{1e}{\"a\":1}\n");
    }

    #[test]
    fn the_head_alone_is_mended() {
        let head = "\u{1e}{\"serialization_format\":\"JSON-SEQ\",\"event_schemas\":[]}\n";
        let later = "\u{1e}{\"name\":\"x\",\"event_schemas\":[]}\n";
        assert_eq!(
            written(&[head, later]),
            format!(
                "\u{1e}{{\"serialization_format\":\"application/qlog+json-seq\",\"qlog_version\":\"0.3\",\"qlog_format\":\"JSON-SEQ\",\
                 \"event_schemas\":[\"urn:ietf:params:qlog:events:quic-12\"]}}\n{later}"
            )
        );
    }
}
