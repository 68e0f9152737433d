/// A file that an answer holds.
public protocol WebFile: AnyObject, Sendable {
    /// How many bytes it has.
    var size: Int { get }

    /// Calls `completion` with the next piece; with no bytes at the end; with nil if the file cannot be read any more, so that the
    /// transport closes the connection. One call at a time.
    func read(_ completion: @escaping @Sendable ([UInt8]?) -> Void)
}
