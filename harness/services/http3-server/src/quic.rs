//! noq's QUIC behind the port that h3 has for one (h3::quic): how streams are opened and accepted.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::Buf;
use h3::error::Code;
use h3::quic::{self, ConnectionErrorIncoming, StreamErrorIncoming};
use noq::ConnectionError;

use crate::streams::{BidiStream, RecvStream, SendStream, connection_error, lost, number};

/// What is waited for over several polls, and then anew.
struct Awaited<T>(Option<Pin<Box<dyn Future<Output = T> + Send>>>);

impl<T> Awaited<T> {
    fn poll<F: Future<Output = T> + Send + 'static>(
        &mut self,
        context: &mut Context<'_>,
        ask: impl FnOnce() -> F,
    ) -> Poll<T> {
        let answer = self.0.get_or_insert_with(|| Box::pin(ask()));
        let value = ready!(answer.as_mut().poll(context));
        self.0 = None;
        Poll::Ready(value)
    }
}

/// A connection: what the peer opens.
pub struct Connection {
    opener: Opener,
    receive: Awaited<Result<noq::RecvStream, ConnectionError>>,
    both: Awaited<Result<(noq::SendStream, noq::RecvStream), ConnectionError>>,
}

impl Connection {
    pub fn new(connection: noq::Connection) -> Connection {
        Connection { opener: Opener::new(connection), receive: Awaited(None), both: Awaited(None) }
    }
}

impl<B: Buf> quic::Connection<B> for Connection {
    type RecvStream = RecvStream;
    type OpenStreams = Opener;

    fn poll_accept_recv(&mut self, context: &mut Context<'_>) -> Poll<Result<RecvStream, ConnectionErrorIncoming>> {
        let connection = &self.opener.connection;
        let accepted = ready!(self.receive.poll(context, || {
            let connection = connection.clone();
            async move { connection.accept_uni().await }
        }));
        Poll::Ready(accepted.map(RecvStream::new).map_err(connection_error))
    }

    fn poll_accept_bidi(&mut self, context: &mut Context<'_>) -> Poll<Result<BidiStream<B>, ConnectionErrorIncoming>> {
        let connection = &self.opener.connection;
        let accepted = ready!(self.both.poll(context, || {
            let connection = connection.clone();
            async move { connection.accept_bi().await }
        }));
        Poll::Ready(accepted.map(BidiStream::new).map_err(connection_error))
    }

    fn opener(&self) -> Opener {
        Opener::new(self.opener.connection.clone())
    }
}

/// A connection: what is opened from here.
pub struct Opener {
    connection: noq::Connection,
    send: Awaited<Result<noq::SendStream, ConnectionError>>,
    both: Awaited<Result<(noq::SendStream, noq::RecvStream), ConnectionError>>,
}

impl Opener {
    fn new(connection: noq::Connection) -> Opener {
        Opener { connection, send: Awaited(None), both: Awaited(None) }
    }
}

/// What waits stays with the one that waits.
impl Clone for Opener {
    fn clone(&self) -> Opener {
        Opener::new(self.connection.clone())
    }
}

impl<B: Buf> quic::OpenStreams<B> for Opener {
    type BidiStream = BidiStream<B>;
    type SendStream = SendStream<B>;

    fn poll_open_bidi(&mut self, context: &mut Context<'_>) -> Poll<Result<BidiStream<B>, StreamErrorIncoming>> {
        let connection = &self.connection;
        let opened = ready!(self.both.poll(context, || {
            let connection = connection.clone();
            async move { connection.open_bi().await }
        }));
        Poll::Ready(opened.map(BidiStream::new).map_err(lost))
    }

    fn poll_open_send(&mut self, context: &mut Context<'_>) -> Poll<Result<SendStream<B>, StreamErrorIncoming>> {
        let connection = &self.connection;
        let opened = ready!(self.send.poll(context, || {
            let connection = connection.clone();
            async move { connection.open_uni().await }
        }));
        Poll::Ready(opened.map(SendStream::new).map_err(lost))
    }

    fn close(&mut self, code: Code, reason: &[u8]) {
        self.connection.close(number(code.value()), reason);
    }
}

impl<B: Buf> quic::OpenStreams<B> for Connection {
    type BidiStream = BidiStream<B>;
    type SendStream = SendStream<B>;

    fn poll_open_bidi(&mut self, context: &mut Context<'_>) -> Poll<Result<BidiStream<B>, StreamErrorIncoming>> {
        self.opener.poll_open_bidi(context)
    }

    fn poll_open_send(&mut self, context: &mut Context<'_>) -> Poll<Result<SendStream<B>, StreamErrorIncoming>> {
        self.opener.poll_open_send(context)
    }

    fn close(&mut self, code: Code, reason: &[u8]) {
        quic::OpenStreams::<B>::close(&mut self.opener, code, reason);
    }
}
