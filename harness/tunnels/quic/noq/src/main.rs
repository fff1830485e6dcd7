//! coexist-tunnel-noq: started by the harness beside a media server and beside a browser. Its certificate comes in on standard input, of a
//! server after its key; it prints "listening" and then a JSON line every so often, and ends when standard input ends or on SIGTERM.

use std::process::ExitCode;

use coexist_quic::version::locked;
use coexist_tunnel_noq::caps::caps;
use coexist_tunnel_noq::end::{Failure, run};
use coexist_tunnel_noq::options::Options;
use tokio::io::BufReader;
use tokio::signal::unix::{SignalKind, signal};

const USAGE: u8 = 1;
const CANNOT: u8 = 2;
const LOST: u8 = 3;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["--version"] => println!("coexist-tunnel-noq {}, noq {}", env!("CARGO_PKG_VERSION"), locked("noq")),
        ["caps"] => println!("{}", caps()),
        _ => {
            return match Options::parse(&words) {
                Ok(options) => start(options),
                Err(message) => failed(USAGE, &message),
            };
        }
    }
    ExitCode::SUCCESS
}

fn start(options: Options) -> ExitCode {
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return failed(CANNOT, &format!("cannot start: {error}")),
    };
    let ended = runtime.block_on(async {
        let mut terminate = signal(SignalKind::terminate()).map_err(|error| Failure::Cannot(error.to_string()))?;
        let stop = async { terminate.recv().await.unwrap_or_default() };
        run(options, BufReader::new(tokio::io::stdin()), stop, tokio::io::stdout()).await
    });
    // a thread that still reads standard input is not waited for
    runtime.shutdown_background();
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Cannot(message)) => failed(CANNOT, &message),
        Err(Failure::Lost(message)) => failed(LOST, &message),
    }
}

fn failed(status: u8, message: &str) -> ExitCode {
    eprintln!("{message}");
    ExitCode::from(status)
}
