/// What the transport does with the body of a request. The head decides it.
public enum WebIntake: Sendable {
    /// Read the body, and then ask for the answer. A larger body is refused with status 413. If it has more than
    /// ``WebServices/bodyOfStranger`` bytes, or there is little memory, ask first who sends it: ``WebServices/admit(_:_:)``.
    case whole(limit: Int)
    /// Let the body pass without keeping it, and then ask for the answer.
    case unread
    /// Give each piece of the body to the upload as it arrives.
    case upload(any WebUpload)
    /// Answer at once: the body is not needed.
    case answer(WebResponse)
}

/// Whether a large body is read.
public enum WebAdmission: Sendable {
    /// A body of this caller, for whom the memory counts.
    case admitted(caller: String)
    case refused(WebResponse)
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
