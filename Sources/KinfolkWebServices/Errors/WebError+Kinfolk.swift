import Kinfolk

extension WebError {
    /// The error of a call of the library.
    init(_ error: KinfolkError) {
        switch error.code {
        case .serviceUnavailable:
            // The reason is about the server, and none of the client's business.
            let isInDoubt = error.isInDoubt
            self.init(
                .tryAgainLater,
                isInDoubt
                    ? "The change may have been made or not: look before you try again."
                    : "The service is busy: try again.",
                retryAfter: 1
            )
        case .keyMismatch, .storeCorrupt, .internalError, .assetFileNotFound, .assetFileModified:
            self.init(.internalError, "An internal error occurred.")
        case .cancelled: self.init(.tryAgainLater, "The request was cancelled.", retryAfter: 1)
        default: self.init(WebError.code(of: error.code), error.reason, retryAfter: error.retryAfter)
        }
    }

    private static func code(of code: KinfolkError.Code) -> ServerErrorCode {
        switch code {
        case .invalidArgument, .limitExceeded, .changeTokenExpired: .badRequest
        case .unknownItem, .assetNotAvailable: .notFound
        case .notAuthenticated: .authenticationRequired
        case .permissionFailure: .accessDenied
        case .serverRecordChanged: .conflict
        case .requestRateLimited: .throttled
        case .conflict: .exists
        case .batchRequestFailed: .atomicError
        case .referenceViolation: .validatingReferenceError
        case .zoneNotFound: .zoneNotFound
        case .quotaExceeded: .quotaExceeded
        case .serviceUnavailable, .cancelled: .tryAgainLater
        case .keyMismatch, .storeCorrupt, .internalError, .assetFileNotFound, .assetFileModified: .internalError
        }
    }
}

/// Runs calls of the library, and turns their errors into those of the protocol.
func calling<Result>(_ body: () throws(KinfolkError) -> Result) throws(WebError) -> Result {
    do { return try body() } catch { throw WebError(error) }
}
