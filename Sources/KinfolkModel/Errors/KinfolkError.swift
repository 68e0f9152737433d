/// The error that every call of Kinfolk throws: a code for programs, and a reason for readers.
///
/// Two errors are equal when their codes are. A reason is one sentence in English for the programmer. It never holds an
/// address, a name or a key, so it may be logged.
///
/// ```swift
/// do {
///     discovery = try session.discover(book)
/// } catch let error where error.code == .requestRateLimited {
///     retry(after: error.retryAfter ?? 60)
/// }
/// ```
public struct KinfolkError: Error, Sendable {
    /// The kind of error, with CloudKit's names where they fit. The raw values are those of `kinfolk_status` in C.
    public enum Code: Int32, Sendable, CaseIterable {
        /// An argument is malformed, out of range or contradicts another one. Retrying does not help.
        case invalidArgument = 1
        /// There is no such account, container, record, e-mail address, code or store.
        case unknownItem = 2
        /// The session has no account that may do this: nobody is signed in, or the account is suspended or erased.
        case notAuthenticated = 3
        /// The account is known but may not do this; or the file system refused.
        case permissionFailure = 4
        /// The record was saved by another session in between. ``KinfolkError/serverRecord`` is the record in the store.
        case serverRecordChanged = 5
        /// More than one call accepts: split it into parts.
        case limitExceeded = 6
        /// Too many requests: ``KinfolkError/retryAfter`` says how long to wait.
        case requestRateLimited = 7
        /// It already exists, or exists with another type.
        case conflict = 8
        /// The store cannot be used now: another process holds it, the disk is full, the connection to its server was lost, or
        /// the process has forked. See ``KinfolkError/isInDoubt``.
        case serviceUnavailable = 9
        /// The key is missing, or is not the key of this store.
        case keyMismatch = 10
        /// The file is not a Kinfolk store, or is damaged.
        case storeCorrupt = 11
        /// A fault of Kinfolk itself. Please report it.
        case internalError = 12
        /// The caller cancelled the call by throwing from its progress function. If the call's documentation says so, call
        /// again to resume.
        case cancelled = 13
        /// The item was not saved or deleted because another item of its atomic batch failed. That item reports why.
        case batchRequestFailed = 14
        /// A reference names a record that does not exist, or the record cannot be deleted because another record needs it.
        case referenceViolation = 15
        /// The server change token is too old, or belongs to another state of the store. Fetch everything again, without a token.
        case changeTokenExpired = 16
        /// There is no such zone: it was never made, or was deleted.
        case zoneNotFound = 17
        /// The change would exceed a quota of the user, of the public database, or of its creator in it. Delete something first.
        case quotaExceeded = 18
        /// There is no such asset: its record was changed or deleted, its upload was not completed or is too old, or the session may not
        /// read it.
        case assetNotAvailable = 19
        /// There is no such file.
        case assetFileNotFound = 20
        /// The file was changed while it was read.
        case assetFileModified = 21
    }

    /// The kind of error.
    public let code: Code

    /// One sentence with details, for the programmer and the log.
    public let reason: String

    /// With ``Code/requestRateLimited``: how many seconds to wait before retrying.
    public let retryAfter: Double?

    /// With ``Code/serverRecordChanged``: the record in the store.
    public let serverRecord: Record?

    /// With ``Code/serviceUnavailable``: whether the change may have been made nevertheless, because the connection to the server
    /// was lost before it confirmed the change. Check whether it was made before you retry.
    public let isInDoubt: Bool

    package init(_ code: Code, _ reason: String, retryAfter: Double? = nil, serverRecord: Record? = nil) {
        self.init(code, reason, retryAfter: retryAfter, serverRecord: serverRecord, isInDoubt: false)
    }

    package init(_ code: Code, _ reason: String, retryAfter: Double?, serverRecord: Record?, isInDoubt: Bool) {
        self.code = code
        self.reason = reason
        self.retryAfter = retryAfter
        self.serverRecord = serverRecord
        self.isInDoubt = isInDoubt
    }
}

extension KinfolkError {
    /// The error that a progress function throws to end the call. The call then throws it too.
    public static var cancelled: KinfolkError { KinfolkError(.cancelled, "The caller cancelled the call.") }

    /// The error of a call whose caller named a file of a store that this process has open as a file to read or to replace.
    package static var fileInUse: KinfolkError {
        KinfolkError(.invalidArgument, "This file belongs to an open store: only the store itself uses it.")
    }
}

extension KinfolkError: Equatable {
    public static func == (left: KinfolkError, right: KinfolkError) -> Bool { left.code == right.code }
}

extension KinfolkError: CustomStringConvertible {
    public var description: String { "\(code): \(reason)" }
}
