public import Foundation
public import Kinfolk

/// The texts that Foundation shows for an error: `localizedDescription` is the reason, which holds no address, name or key.
///
/// Kinfolk itself does not use Foundation. A program that uses Foundation can also import this module.
extension KinfolkError: LocalizedError {
    /// The reason: one sentence in English, for the programmer.
    public var errorDescription: String? { reason }

    /// The kind of failure: the name of its ``KinfolkError/Code``.
    public var failureReason: String? { "\(code)" }

    /// What to do about the error, if the advice is the same for all errors with its code.
    public var recoverySuggestion: String? {
        switch code {
        case .requestRateLimited: "Try again in \(Int((retryAfter ?? 0).rounded(.up))) seconds."
        case .serverRecordChanged: "Fetch the record, apply the change to it, and save it again."
        case .quotaExceeded: "Delete something, and try again."
        case .assetFileModified: "Try again when the file does not change."
        case .changeTokenExpired: "Forget what was fetched, and fetch all changes again, without a token."
        // In other cases the reason says what helps: a later attempt, room on the disk, or a service of the child process.
        case .serviceUnavailable: isInDoubt ? "Check whether it was done before you try again." : nil
        case .internalError: "Please report it."
        case .invalidArgument, .unknownItem, .notAuthenticated, .permissionFailure, .limitExceeded, .conflict,
            .keyMismatch, .storeCorrupt, .cancelled, .batchRequestFailed,
            .referenceViolation, .zoneNotFound, .assetNotAvailable, .assetFileNotFound:
            nil
        }
    }
}
