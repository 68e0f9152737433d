/// An error of a lower layer that says which error the caller sees.
package protocol KinfolkErrorCause: Error {
    var kinfolkError: KinfolkError { get }
}

extension KinfolkError {
    /// The error that the caller sees.
    package init(_ cause: any Error) {
        switch cause {
        case let error as KinfolkError: self = error
        case let cause as any KinfolkErrorCause: self = cause.kinfolkError
        default: self.init(.internalError, "Unexpected failure.")
        }
    }
}
