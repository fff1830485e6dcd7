//! The command line; that of the other stacks is the same.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use coexist_quic::control::Control;
use coexist_quic::copa::Params;
use coexist_quic::words::{optional, value};

pub const USAGE: &str = "coexist-tunnel-noq server|client --quic ADDRESS:PORT --udp ADDRESS:PORT --mode datagram|stream \
--congestion newreno|cubic|copa|c4|bbr3|bbr3-paced|none [--send-buffer-bytes N] [--mtu-bytes N] [--silence-ms N] [--report-ms N] [--qlog FOLDER] \
[--copa-delta X] [--copa-competitive auto|off]";

const NAMES: [&str; 11] = [
    "--quic",
    "--udp",
    "--mode",
    "--congestion",
    "--send-buffer-bytes",
    "--mtu-bytes",
    "--silence-ms",
    "--report-ms",
    "--qlog",
    "--copa-delta",
    "--copa-competitive",
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Beside the media server: listens for QUIC, sends UDP to where the media server listens.
    Server,
    /// Beside the browser: connects over QUIC, listens for UDP.
    Client,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    Datagram,
    Stream,
}

impl Mode {
    pub fn name(self) -> &'static str {
        match self {
            Mode::Datagram => "datagram",
            Mode::Stream => "stream",
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    pub role: Role,
    pub quic: SocketAddr,
    pub udp: SocketAddr,
    pub mode: Mode,
    pub control: Control,
    pub copa: Params,
    /// Payload that may wait for its first transmission; what comes then is dropped and counted.
    pub send_buffer_bytes: usize,
    /// Largest IP packet of the path between the ends.
    pub mtu_bytes: u16,
    /// Without a word of the other end for so long, it is taken for dead.
    pub silence: Duration,
    pub report: Duration,
    pub qlog: Option<PathBuf>,
}

impl Options {
    /// The error is a line for people.
    pub fn parse(words: &[String]) -> Result<Options, String> {
        let (role, words) = match words.split_first() {
            Some((word, words)) if word == "server" => (Role::Server, words),
            Some((word, words)) if word == "client" => (Role::Client, words),
            Some((word, _)) => return Err(format!("\"{word}\" is neither server nor client; usage: {USAGE}")),
            None => return Err(format!("usage: {USAGE}")),
        };
        for (k, name) in words.iter().step_by(2).enumerate() {
            if !NAMES.contains(&name.as_str()) {
                return Err(format!("there is no option \"{name}\"; usage: {USAGE}"));
            }
            if words.iter().step_by(2).skip(k + 1).any(|other| other == name) {
                return Err(format!("{name} is given twice"));
            }
        }
        Ok(Options {
            role,
            quic: value(words, "--quic", USAGE)?,
            udp: value(words, "--udp", USAGE)?,
            mode: match value::<String>(words, "--mode", USAGE)?.as_str() {
                "datagram" => Mode::Datagram,
                "stream" => Mode::Stream,
                other => return Err(format!("--mode is datagram or stream, not \"{other}\"")),
            },
            control: named(&value::<String>(words, "--congestion", USAGE)?)?,
            copa: Params {
                delta: within(words, "--copa-delta", Params::default().delta, 0.004, 10.0)?,
                competitive: match optional::<String>(words, "--copa-competitive")?.as_deref() {
                    None | Some("auto") => true,
                    Some("off") => false,
                    Some(other) => return Err(format!("--copa-competitive is auto or off, not \"{other}\"")),
                },
            },
            send_buffer_bytes: within(words, "--send-buffer-bytes", 65_536, 1500, 1 << 30)?,
            mtu_bytes: within(words, "--mtu-bytes", 1500, 1280, 9000)?,
            silence: Duration::from_millis(within(words, "--silence-ms", 5000, 500, 60_000)?),
            report: Duration::from_millis(within(words, "--report-ms", 1000, 20, 10_000)?),
            qlog: optional(words, "--qlog")?,
        })
    }
}

fn named(name: &str) -> Result<Control, String> {
    Control::named(name).ok_or_else(|| {
        let names: Vec<&str> = Control::ALL.iter().map(|control| control.name()).collect();
        format!("--congestion is one of {}, not \"{name}\"", names.join(", "))
    })
}

/// A number between two; NaN is not.
fn within<T: std::str::FromStr + PartialOrd + std::fmt::Display>(
    words: &[String],
    name: &str,
    default: T,
    least: T,
    most: T,
) -> Result<T, String> {
    match optional(words, name)? {
        None => Ok(default),
        Some(number) if number >= least && number <= most => Ok(number),
        Some(number) => Err(format!("{name} is from {least} to {most}, not {number}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "client --quic 127.0.0.1:4433 --udp 127.0.0.1:56000 --mode stream --congestion copa";

    fn parse(line: &str) -> Result<Options, String> {
        Options::parse(&line.split(' ').map(String::from).collect::<Vec<_>>())
    }

    #[test]
    fn what_is_not_said_has_a_default() {
        let options = parse(GOOD).unwrap();
        assert_eq!((options.role, options.mode, options.control), (Role::Client, Mode::Stream, Control::Copa));
        assert_eq!(
            (options.send_buffer_bytes, options.mtu_bytes, options.silence),
            (65_536, 1500, Duration::from_secs(5))
        );
        assert_eq!(options.copa, Params { delta: 0.5, competitive: true });
        let options =
            parse(&format!("{GOOD} --copa-delta 0.05 --copa-competitive off --report-ms 200 --qlog /tmp/x")).unwrap();
        assert_eq!(options.copa, Params { delta: 0.05, competitive: false });
        assert_eq!((options.report, options.qlog), (Duration::from_millis(200), Some(PathBuf::from("/tmp/x"))));
    }

    #[test]
    fn what_is_wrong_is_named_in_one_line() {
        for (line, message) in [
            ("", "\"\" is neither server nor client"),
            ("both --quic x", "\"both\" is neither server nor client"),
            ("server --udp 127.0.0.1:1", "--quic is missing"),
            ("server --quic 127.0.0.1", "--quic cannot be \"127.0.0.1\""),
            (&GOOD.replace("stream", "fast"), "--mode is datagram or stream, not \"fast\""),
            (
                &GOOD.replace("copa", "reno"),
                "--congestion is one of newreno, cubic, copa, c4, bbr3, bbr3-paced, none, not \"reno\"",
            ),
            (&format!("{GOOD} --quick 1"), "there is no option \"--quick\""),
            (&format!("{GOOD} --udp 127.0.0.1:2"), "--udp is given twice"),
            (&format!("{GOOD} --report-ms"), "--report-ms has no value"),
            (&format!("{GOOD} --report-ms 5"), "--report-ms is from 20 to 10000, not 5"),
            (&format!("{GOOD} --copa-delta NaN"), "--copa-delta is from 0.004 to 10, not NaN"),
            (&format!("{GOOD} --copa-competitive yes"), "--copa-competitive is auto or off"),
            (&format!("{GOOD} --mtu-bytes 70000"), "--mtu-bytes cannot be \"70000\""),
        ] {
            let refusal = parse(line).unwrap_err();
            assert!(refusal.starts_with(message) && !refusal.contains('\n'), "{refusal}");
        }
    }
}
