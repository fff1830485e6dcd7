//! The command line.

use std::net::{IpAddr, SocketAddr};

use coexist_quic::control::Control;
use coexist_quic::words::value;

pub const USAGE: &str =
    "coexist-http3 --listen ADDRESS --first-port PORT --ports COUNT --to ADDRESS --congestion bbr3|cubic|newreno";

#[derive(Debug, PartialEq, Eq)]
pub struct Options {
    pub listen: IpAddr,
    pub first_port: u16,
    pub ports: u16,
    /// Where requests go: to the port that they came to.
    pub to: IpAddr,
    pub control: Control,
}

impl Options {
    /// The error is a line for people.
    pub fn parse(words: &[String]) -> Result<Options, String> {
        let options = Options {
            listen: value(words, "--listen", USAGE)?,
            first_port: value(words, "--first-port", USAGE)?,
            ports: value(words, "--ports", USAGE)?,
            to: value(words, "--to", USAGE)?,
            control: Control::named(&value::<String>(words, "--congestion", USAGE)?)
                .filter(|control| Control::NOQ.contains(control))
                .ok_or("--congestion is bbr3, cubic or newreno")?,
        };
        if words.len() != 10 {
            return Err(format!("too many words; usage: {USAGE}"));
        }
        if options.first_port == 0 || options.ports == 0 || options.first_port.checked_add(options.ports - 1).is_none()
        {
            return Err(String::from("there are no such ports"));
        }
        Ok(options)
    }

    /// Each way in, and where it leads.
    pub fn ways(&self) -> impl Iterator<Item = (SocketAddr, SocketAddr)> + '_ {
        (0..self.ports)
            .map(|k| (SocketAddr::new(self.listen, self.first_port + k), SocketAddr::new(self.to, self.first_port + k)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Options, String> {
        Options::parse(&line.split(' ').map(String::from).collect::<Vec<_>>())
    }

    #[test]
    fn everything_is_named() {
        let options =
            parse("--listen 10.0.1.2 --first-port 8100 --ports 2 --to 127.0.0.1 --congestion newreno").unwrap();
        assert_eq!(options.control, Control::NewReno);
        let ways: Vec<String> = options.ways().map(|(from, to)| format!("{from} {to}")).collect();
        assert_eq!(ways, ["10.0.1.2:8100 127.0.0.1:8100", "10.0.1.2:8101 127.0.0.1:8101"]);
    }

    #[test]
    fn what_is_wrong_is_named() {
        let refusal = |line: &str| parse(line).unwrap_err();
        assert!(refusal("--listen 10.0.1.2").contains("--first-port is missing"));
        assert!(refusal("--listen here --first-port 1").contains("--listen cannot be \"here\""));
        assert!(
            refusal("--listen 10.0.1.2 --first-port 8100 --ports 1 --to 127.0.0.1 --congestion reno")
                .contains("bbr3, cubic or newreno")
        );
        assert!(
            refusal("--listen 10.0.1.2 --first-port 65535 --ports 2 --to 127.0.0.1 --congestion bbr3")
                .contains("no such ports")
        );
        assert!(
            refusal("--listen 10.0.1.2 --first-port 1 --ports 0 --to 127.0.0.1 --congestion bbr3")
                .contains("no such ports")
        );
        assert!(
            refusal("--listen 10.0.1.2 --first-port 1 --ports 1 --to 127.0.0.1 --congestion bbr3 more")
                .contains("too many words")
        );
        assert!(
            refusal("--listen 10.0.1.2 --first-port 8100 --ports 1 --to 127.0.0.1 --congestion none")
                .contains("bbr3, cubic or newreno")
        );
        assert!(refusal("--to").contains("--listen is missing"));
    }
}
