//! noq's streams behind the port that h3 has for them (h3::quic): how they are read, written and given up.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use bytes::{Buf, Bytes};
use h3::quic::{self, ConnectionErrorIncoming, StreamErrorIncoming, StreamId, WriteBuf};
use noq::{ConnectionError, ReadError, VarInt, WriteError};

/// Most that is read at once.
const PIECE_BYTES: usize = 16 << 10;

pub struct RecvStream(noq::RecvStream);

impl RecvStream {
    pub fn new(stream: noq::RecvStream) -> RecvStream {
        RecvStream(stream)
    }
}

impl quic::RecvStream for RecvStream {
    type Buf = Bytes;

    fn poll_data(&mut self, context: &mut Context<'_>) -> Poll<Result<Option<Bytes>, StreamErrorIncoming>> {
        let mut piece = vec![0; PIECE_BYTES];
        let length = ready!(self.0.poll_read(context, &mut piece)).map_err(|error| match error {
            ReadError::Reset(code) => StreamErrorIncoming::StreamTerminated { error_code: code.into_inner() },
            ReadError::ConnectionLost(error) => lost(error),
            error => StreamErrorIncoming::Unknown(Box::new(error)),
        })?;
        piece.truncate(length);
        Poll::Ready(Ok((length > 0).then(|| Bytes::from(piece))))
    }

    fn stop_sending(&mut self, code: u64) {
        let _ = self.0.stop(number(code)); // what is closed has stopped
    }

    fn recv_id(&self) -> StreamId {
        stream_id(self.0.id())
    }
}

pub struct SendStream<B: Buf> {
    stream: noq::SendStream,
    /// What has not been written yet.
    rest: Option<WriteBuf<B>>,
}

impl<B: Buf> SendStream<B> {
    pub fn new(stream: noq::SendStream) -> SendStream<B> {
        SendStream { stream, rest: None }
    }
}

impl<B: Buf> quic::SendStream<B> for SendStream<B> {
    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), StreamErrorIncoming>> {
        while let Some(rest) = &mut self.rest {
            if !rest.has_remaining() {
                self.rest = None;
                break;
            }
            let written =
                ready!(Pin::new(&mut self.stream).poll_write(context, rest.chunk())).map_err(|error| match error {
                    WriteError::Stopped(code) => {
                        StreamErrorIncoming::StreamTerminated { error_code: code.into_inner() }
                    }
                    WriteError::ConnectionLost(error) => lost(error),
                    error => StreamErrorIncoming::Unknown(Box::new(error)),
                })?;
            rest.advance(written);
        }
        Poll::Ready(Ok(()))
    }

    fn send_data<T: Into<WriteBuf<B>>>(&mut self, data: T) -> Result<(), StreamErrorIncoming> {
        if self.rest.is_some() {
            let connection_error =
                ConnectionErrorIncoming::InternalError(String::from("data is given before the last was taken"));
            return Err(StreamErrorIncoming::ConnectionErrorIncoming { connection_error });
        }
        self.rest = Some(data.into());
        Ok(())
    }

    fn poll_finish(&mut self, _: &mut Context<'_>) -> Poll<Result<(), StreamErrorIncoming>> {
        Poll::Ready(self.stream.finish().map_err(|error| StreamErrorIncoming::Unknown(Box::new(error))))
    }

    fn reset(&mut self, code: u64) {
        let _ = self.stream.reset(number(code)); // what is closed needs none
    }

    fn send_id(&self) -> StreamId {
        stream_id(self.stream.id())
    }
}

pub struct BidiStream<B: Buf> {
    send: SendStream<B>,
    receive: RecvStream,
}

impl<B: Buf> BidiStream<B> {
    pub fn new((send, receive): (noq::SendStream, noq::RecvStream)) -> BidiStream<B> {
        BidiStream { send: SendStream::new(send), receive: RecvStream::new(receive) }
    }
}

impl<B: Buf> quic::BidiStream<B> for BidiStream<B> {
    type SendStream = SendStream<B>;
    type RecvStream = RecvStream;

    fn split(self) -> (SendStream<B>, RecvStream) {
        (self.send, self.receive)
    }
}

impl<B: Buf> quic::RecvStream for BidiStream<B> {
    type Buf = Bytes;

    fn poll_data(&mut self, context: &mut Context<'_>) -> Poll<Result<Option<Bytes>, StreamErrorIncoming>> {
        self.receive.poll_data(context)
    }

    fn stop_sending(&mut self, code: u64) {
        self.receive.stop_sending(code);
    }

    fn recv_id(&self) -> StreamId {
        self.receive.recv_id()
    }
}

impl<B: Buf> quic::SendStream<B> for BidiStream<B> {
    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), StreamErrorIncoming>> {
        self.send.poll_ready(context)
    }

    fn send_data<T: Into<WriteBuf<B>>>(&mut self, data: T) -> Result<(), StreamErrorIncoming> {
        self.send.send_data(data)
    }

    fn poll_finish(&mut self, context: &mut Context<'_>) -> Poll<Result<(), StreamErrorIncoming>> {
        self.send.poll_finish(context)
    }

    fn reset(&mut self, code: u64) {
        self.send.reset(code);
    }

    fn send_id(&self) -> StreamId {
        self.send.send_id()
    }
}

pub fn connection_error(error: ConnectionError) -> ConnectionErrorIncoming {
    match error {
        ConnectionError::ApplicationClosed(close) => {
            ConnectionErrorIncoming::ApplicationClose { error_code: close.error_code.into_inner() }
        }
        ConnectionError::TimedOut => ConnectionErrorIncoming::Timeout,
        error => ConnectionErrorIncoming::Undefined(Arc::new(error)),
    }
}

pub fn lost(error: ConnectionError) -> StreamErrorIncoming {
    StreamErrorIncoming::ConnectionErrorIncoming { connection_error: connection_error(error) }
}

/// A code of HTTP/3 as QUIC writes it; h3's own all fit.
pub fn number(code: u64) -> VarInt {
    VarInt::from_u64(code).unwrap_or(VarInt::MAX)
}

fn stream_id(id: noq::StreamId) -> StreamId {
    StreamId::try_from(u64::from(VarInt::from(id)))
        .unwrap_or_else(|_| unreachable!("QUIC numbers streams with 62 bits, as HTTP/3 does"))
}
