/// What the transport does with the body of a request. The head decides it.
public enum WebIntake: Sendable {
    /// Read the body, and then ask for the answer. A larger body is refused with status 413.
    case whole(limit: Int)
    /// Give each piece of the body to the upload as it arrives.
    case upload(any WebUpload)
    /// Answer at once: the body is not needed.
    case answer(WebResponse)
}

/// A file that a client sends.
public protocol WebUpload: AnyObject, Sendable {
    /// Writes a piece. The completion has nil if the next piece may come, or the answer if the upload ends here. One call at a time.
    func write(_ bytes: [UInt8], _ completion: @escaping @Sendable (WebResponse?) -> Void)

    /// Completes the file, and gives the answer.
    func finish(_ completion: @escaping @Sendable (WebResponse) -> Void)

    /// Ends the upload without a file: the client has gone.
    func cancel()
}
