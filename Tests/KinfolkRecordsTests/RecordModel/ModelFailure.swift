import Kinfolk

/// The error with which the model expects a call to fail.
struct ModelFailure: Error {
    let code: KinfolkError.Code
    /// The record that comes with `serverRecordChanged`.
    var server: ModelRecord?

    init(_ code: KinfolkError.Code, server: ModelRecord? = nil) { (self.code, self.server) = (code, server) }
}
