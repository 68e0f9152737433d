/// A position in the records that satisfy a query.
///
/// It is opaque: sealed, and valid only for the same query and zone of the same session's user. It stays valid when keys are rotated, and
/// when the record before it is changed or deleted.
public struct QueryCursor: Hashable, Sendable {
    /// The cursor, for example for the address of the next page.
    public let bytes: [UInt8]

    /// A cursor that was stored.
    ///
    /// - Throws: ``KinfolkError/Code/invalidArgument`` if it is empty. Whether it is valid is found out when it is used.
    public init(bytes: [UInt8]) throws(KinfolkError) {
        guard !bytes.isEmpty else { throw KinfolkError(.invalidArgument, "A cursor is not empty.") }
        self.bytes = bytes
    }

    package init(valid bytes: [UInt8]) { self.bytes = bytes }
}

extension QueryCursor: Redacted {}
