//! An HTTP handler that explains: `POST /rules/NAME/explain` with an event answers why the rule does or does not match
//! it.
//!
//! `cargo run --example explain_http` asks itself once; `cargo run --example explain_http -- 127.0.0.1:8080` keeps serving.

use std::collections::BTreeMap;
use std::error::Error;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::Duration;

use eventrie::{Limits, Pattern};

type Rules = BTreeMap<&'static str, Pattern>;

/// The largest event of EventBridge; a longer body is not read.
const MOST: usize = 1 << 20;

/// The handler itself, for any framework: from method, path and body to status and text.
fn answer(rules: &Rules, method: &str, path: &str, event: &[u8]) -> (&'static str, String) {
    let name = path.strip_prefix("/rules/").and_then(|rest| rest.strip_suffix("/explain"));
    let Some(rule) = name.and_then(|name| rules.get(name)) else {
        return ("404 Not Found", format!("expected /rules/NAME/explain with one of {:?}", rules.keys()));
    };
    if method != "POST" {
        return ("405 Method Not Allowed", "expected POST with an event".to_owned());
    }
    // Strangers write the events: bounded work for each, and a malformed one is their error, shown where it is.
    match rule.explain_with(event, &Limits::default().event_bytes(MOST).depth(64).join_steps(100_000)) {
        Ok(explanation) => ("200 OK", explanation.to_string()),
        Err(error) => ("400 Bad Request", error.render(event).to_string()),
    }
}

/// As much of HTTP as the example needs.
fn serve(rules: &Rules, stream: TcpStream) -> std::io::Result<()> {
    stream.set_read_timeout(Some(Duration::from_secs(5)))?;
    let mut reader = BufReader::new(stream).take(MOST as u64 + 8_192);
    let (mut line, mut length) = (String::new(), 0_usize);
    reader.read_line(&mut line)?;
    let request = line.clone();
    while line.trim() != "" {
        line.clear();
        reader.read_line(&mut line)?;
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().map_err(std::io::Error::other)?;
        }
    }
    let mut event = vec![0; length.min(MOST + 1)];
    reader.read_exact(&mut event)?;
    let mut words = request.split_whitespace();
    let (method, path) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
    let (status, text) = answer(rules, method, path, &event);
    let mut stream = reader.into_inner().into_inner();
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{text}",
        text.len()
    )
}

/// Asks the server, as `curl --data-binary @event.json ADDRESS/rules/NAME/explain` would.
fn ask(address: std::net::SocketAddr, event: &str) -> std::io::Result<String> {
    let mut stream = TcpStream::connect(address)?;
    write!(stream, "POST /rules/stopped/explain HTTP/1.1\r\nContent-Length: {}\r\n\r\n{event}", event.len())?;
    let mut text = String::new();
    stream.read_to_string(&mut text)?;
    Ok(text)
}

fn main() -> Result<(), Box<dyn Error>> {
    let rules = Rules::from([("stopped", r#"{"source": ["aws.ec2"], "detail": {"state": ["stopped"]}}"#.parse()?)]);
    let address = std::env::args().nth(1);
    let listener = TcpListener::bind(address.as_deref().unwrap_or("127.0.0.1:0"))?;
    let bound = listener.local_addr()?;
    println!("listening on http://{bound}");
    if address.is_some() {
        for stream in listener.incoming() {
            if let Err(error) = stream.and_then(|stream| serve(&rules, stream)) {
                eprintln!("{error}");
            }
        }
        return Ok(());
    }
    let events = [r#"{"source": "aws.ec2", "detail": {"state": "Stopped"}}"#, "{'source': 'aws.ec2'}"];
    let client = std::thread::spawn(move || events.map(|event| ask(bound, event)));
    for stream in listener.incoming().take(events.len()) {
        serve(&rules, stream?)?;
    }
    let [explained, malformed] = client.join().map_err(|_| "the client failed")?;
    let (explained, malformed) = (explained?, malformed?);
    println!("{explained}\n\n{malformed}");
    assert!(explained.contains("they differ only in") && malformed.contains("400 Bad Request"));
    Ok(())
}
