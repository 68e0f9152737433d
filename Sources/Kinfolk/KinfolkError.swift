/// What every call of Kinfolk throws: a code to act on, and a reason to read.
///
/// Two errors are equal when their codes are. A reason is one sentence in English for the programmer. It never holds an
/// address, a name or a key, so it may be logged.
public struct KinfolkError: Error, Sendable {
    /// What went wrong, in CloudKit's words where they fit. The raw values are those of `kinfolk_status` in C.
    public enum Code: Int32, Sendable, CaseIterable {
        /// An argument is malformed, out of range or contradicts another. Asking again will not help.
        case invalidArgument = 1
        /// There is no such account, container, user record, e-mail address, code or store.
        case unknownItem = 2
        /// The session has no account that may do this: nobody is signed in, or the account is suspended or erased.
        case notAuthenticated = 3
        /// The account is known, but this is not its to do; or the file system refused.
        case permissionFailure = 4
        /// The record was saved by somebody else in between. ``KinfolkError/serverRecord`` is what the service holds.
        case serverRecordChanged = 5
        /// More than can ever be taken at once: send it in parts.
        case limitExceeded = 6
        /// Too often for now: ``KinfolkError/retryAfter`` says how long to wait.
        case requestRateLimited = 7
        /// It exists already, or with another type.
        case conflict = 8
        /// The store cannot be reached for now: another process holds it, the disk is full, its server was lost, or the process
        /// has forked. See ``KinfolkError/isInDoubt``.
        case serviceUnavailable = 9
        /// The key is missing, or is not the one that this store was made with.
        case keyMismatch = 10
        /// The file is not a Kinfolk store, or is damaged.
        case storeCorrupt = 11
        /// A fault of Kinfolk itself. Please report it.
        case internalError = 12
        /// The caller ended it, from the function that is told of progress. Call again to resume, where the call says so.
        case cancelled = 13
    }

    /// What went wrong.
    public let code: Code

    /// One sentence that says more, for the programmer and the log.
    public let reason: String

    /// How many seconds to wait before asking again, with ``Code/requestRateLimited``.
    public let retryAfter: Double?

    /// The record that the service holds, with ``Code/serverRecordChanged``.
    public let serverRecord: Record?

    /// Whether what was asked for may have been done all the same, with ``Code/serviceUnavailable``: the server of a store was
    /// lost before it said whether it kept a change. Look whether it did before you try again.
    public let isInDoubt: Bool

    package init(_ code: Code, _ reason: String, retryAfter: Double? = nil, serverRecord: Record? = nil) {
        self.init(code, reason, retryAfter: retryAfter, serverRecord: serverRecord, isInDoubt: false)
    }

    init(_ code: Code, _ reason: String, retryAfter: Double?, serverRecord: Record?, isInDoubt: Bool) {
        self.code = code
        self.reason = reason
        self.retryAfter = retryAfter
        self.serverRecord = serverRecord
        self.isInDoubt = isInDoubt
    }
}

extension KinfolkError {
    /// What a function that is told of progress throws to end the call. The call throws it in turn.
    public static var cancelled: KinfolkError { KinfolkError(.cancelled, "The caller ended the call.") }
}

extension KinfolkError: Equatable {
    public static func == (left: KinfolkError, right: KinfolkError) -> Bool { left.code == right.code }
}

extension KinfolkError: CustomStringConvertible {
    public var description: String { "\(code): \(reason)" }
}
