//! coexist-http3: started by the harness (shared/http3-program.ts) on a service's host. Its key and certificate come in on standard
//! input; it prints "listening" and then a JSON line a second, and ends when standard input ends.

use std::process::ExitCode;

use coexist_http3::endpoint::{serve, server_config};
use coexist_http3::options::Options;
use coexist_http3::report::Connections;
use coexist_quic::identity::{Identity, until_end};
use coexist_quic::version::locked;
use noq::Endpoint;
use tokio::io::{AsyncWriteExt, BufReader};

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if words == ["--version"] {
        println!("coexist-http3 {}, noq {}", env!("CARGO_PKG_VERSION"), locked("noq"));
        return ExitCode::SUCCESS;
    }
    // everything ends at once: what a connection still holds is of no use to anybody
    let status = match run(&words).await {
        Ok(()) => 0,
        Err(message) => {
            eprintln!("{message}");
            2
        }
    };
    std::process::exit(status);
}

/// Runs until standard input ends or nobody reads what is told. The error is a line for people.
async fn run(words: &[String]) -> Result<(), String> {
    let options = Options::parse(words)?;
    let mut input = BufReader::new(tokio::io::stdin());
    let identity = Identity::read(&mut input).await.map_err(|error| error.to_string())?;
    let config = server_config(identity, options.control)?;
    let connections = Connections::default();
    for (from, to) in options.ways() {
        let endpoint =
            Endpoint::server(config.clone(), from).map_err(|error| format!("cannot listen on UDP {from}: {error}"))?;
        tokio::spawn(serve(endpoint, to, connections.clone()));
    }
    let mut output = tokio::io::stdout();
    output.write_all(b"listening\n").await.map_err(|error| error.to_string())?;
    tokio::select! {
        ended = until_end(input) => ended,
        told = connections.tell(output) => told,
    }
    .map_err(|error| error.to_string())
}
