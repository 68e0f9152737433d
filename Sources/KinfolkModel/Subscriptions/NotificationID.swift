/// The ID of a notification: a position among those of its device.
///
/// It is opaque: sealed, and valid only for the user and the container for which it was made. An application keeps it if it acknowledges
/// a notification later, perhaps in another process.
public struct NotificationID: Hashable, Sendable {
    /// The maximum length of ``bytes``.
    public static let maximumLength = 256

    /// The ID, to be stored by the application.
    public let bytes: [UInt8]

    /// An ID that was stored.
    ///
    /// - Throws: ``KinfolkError/Code/invalidArgument`` if it is empty or longer than ``maximumLength``. Whether it is valid is found out
    ///   when it is used.
    public init(bytes: [UInt8]) throws(KinfolkError) {
        guard (1...NotificationID.maximumLength).contains(bytes.count) else {
            throw KinfolkError(.invalidArgument, "The ID of a notification has 1 to 256 bytes.")
        }
        self.bytes = bytes
    }

    package init(valid bytes: [UInt8]) { self.bytes = bytes }
}

extension NotificationID: Redacted {}
