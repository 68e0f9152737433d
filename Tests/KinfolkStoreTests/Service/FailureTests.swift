import Kinfolk
import KinfolkStorage
import ServiceSupport
import TestSupport
import Testing

/// The errors that callers get for failures of the storage.
@Suite struct FailureTests {
    let store: TestService

    init() throws { store = try TestService() }

    @Test(arguments: [(StorageError.Kind.inDoubt, true), (.inputOutput, false), (.full, false)])
    func onlyALostAnswerToACommitGivesAnUnknownOutcome(_ kind: StorageError.Kind, _ isInDoubt: Bool) throws {
        let error = expect(.serviceUnavailable) { try store.service.write { _ in throw StorageError(kind) } }
        #expect(error?.isInDoubt == isInDoubt)
    }
}
