public import Foundation
public import Kinfolk

/// What Foundation shows of an error: `localizedDescription` is the reason, which holds no address, name or key.
///
/// Kinfolk itself uses no Foundation. A program that does so anyway imports this module beside it.
extension KinfolkError: LocalizedError {
    /// The reason: one sentence in English, for the programmer.
    public var errorDescription: String? { reason }

    /// What kind of failure it is, as the name of ``KinfolkError/Code``.
    public var failureReason: String? { "\(code)" }

    /// What to do about it, if it is the same for all errors with the code.
    public var recoverySuggestion: String? {
        switch code {
        case .requestRateLimited: "Try again in \(Int((retryAfter ?? 0).rounded(.up))) seconds."
        case .serverRecordChanged: "Fetch the record, apply the change to it, and save it again."
        case .serviceUnavailable: isInDoubt ? "Look whether it was done before you try again." : "Try again later."
        case .limitExceeded: "Send it in parts."
        case .internalError: "Please report it."
        case .invalidArgument, .unknownItem, .notAuthenticated, .permissionFailure, .conflict, .keyMismatch,
            .storeCorrupt, .cancelled:
            nil
        }
    }
}
