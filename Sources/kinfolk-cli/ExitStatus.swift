import Kinfolk

/// The exit status of the process.
enum ExitStatus {
    /// The person did not answer the question with yes.
    static let notConfirmed: Int32 = 1

    /// A version of a document was saved, but as a conflict.
    static let savedAsConflict: Int32 = 2

    /// Standard output could not be written (EX_IOERR).
    static let outputFailed: Int32 = 74

    /// 10 more than the `kinfolk_status` of C, so that one table serves both.
    static func of(_ code: KinfolkError.Code) -> Int32 { 10 + code.rawValue }

    static var manual: String {
        let rows =
            [
                (0, "success; also a discovery that finds nobody"),
                (notConfirmed, "the question was not answered with yes"),
                (savedAsConflict, "saved as a conflict: \"document resolve\" ends it"),
            ]
            + KinfolkError.Code.allCases.map { (of($0), "\($0): \(meaning(of: $0))") }
            + [
                (64, "the command line is wrong"), (outputFailed, "standard output could not be written"),
                (130, "interrupted by Ctrl-C; the message says what was done"),
            ]
        return rows.map { status, meaning in
            String(repeating: " ", count: 5 - "\(status)".count) + "\(status)  \(meaning)"
        }
        .joined(separator: "\n")
    }

    private static func meaning(of code: KinfolkError.Code) -> String {
        switch code {
        case .invalidArgument: "malformed, out of range or contradictory"
        case .unknownItem: "no such account, container, address, code, file or store"
        case .notAuthenticated: "the account is suspended or erased"
        case .permissionFailure: "not allowed, or refused by the file system"
        case .serverRecordChanged: "another save changed the record"
        case .limitExceeded: "more than one call accepts"
        case .requestRateLimited: "too many requests; retry_after says how long to wait"
        case .conflict: "it exists already"
        case .serviceUnavailable: "the store is in use by others, or the disk is full"
        case .keyMismatch: "the key is missing, or is not the key of this store"
        case .storeCorrupt: "the file is not a store, or is damaged"
        case .internalError: "a fault of Kinfolk"
        case .cancelled: "cancelled by the caller"
        case .batchRequestFailed: "another item of the atomic batch failed"
        case .referenceViolation: "a record that is referred to is missing, or still needed"
        case .changeTokenExpired: "the change token is too old: fetch everything again"
        case .zoneNotFound: "there is no such zone"
        case .quotaExceeded: "a quota would be exceeded; delete something first"
        case .assetNotAvailable: "there is no such asset that this account may use"
        case .assetFileNotFound: "there is no such file for an asset"
        case .assetFileModified: "the file of an asset was changed while it was read"
        }
    }
}
