import NIOCore

/// The open event streams. What is sent goes to all of them.
actor Streams {
    private var continuations: [AsyncStream<ByteBuffer>.Continuation] = []

    /// A stream that has its first bytes, so that the client knows that it is open.
    func open() -> AsyncStream<ByteBuffer> {
        let (stream, continuation) = AsyncStream.makeStream(of: ByteBuffer.self)
        continuation.yield(ByteBuffer(string: ": open\n\n"))
        continuations.append(continuation)
        return stream
    }

    func send(_ event: ByteBuffer) {
        for continuation in continuations { continuation.yield(event) }
    }
}
