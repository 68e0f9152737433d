/// An answer whose pieces come over time, such as server-sent events.
public protocol WebEvents: AnyObject, Sendable {
    /// Calls `completion` with the next piece when there is one, or with nil at the end. One call at a time.
    func next(_ completion: @escaping @Sendable ([UInt8]?) -> Void)

    /// Ends the stream: the client has gone, or the service stops. A pending `next` is completed with nil.
    func cancel()
}
