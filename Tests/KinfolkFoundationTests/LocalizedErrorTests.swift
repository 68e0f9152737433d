import Foundation
import Kinfolk
import KinfolkFoundation
import Testing

@Suite struct LocalizedErrorTests {
    @Test func foundationShowsTheReason() {
        let error = #expect(throws: KinfolkError.self) { try EmailAddress("no address") }
        let localized: (any Error)? = error
        #expect(localized?.localizedDescription == error?.reason)
        #expect((localized as? any LocalizedError)?.failureReason == "invalidArgument")
        #expect(error?.recoverySuggestion == nil)
    }

    @Test func aRecoverySuggestionIsGiven() {
        #expect(KinfolkError.cancelled.localizedDescription == "The caller cancelled the call.")
        #expect(KinfolkError.cancelled.recoverySuggestion == nil)
    }

    @Test(arguments: [KinfolkError.Code.limitExceeded, .serviceUnavailable])
    func noSuggestionIsGivenThatHelpsOnlySometimes(_ code: KinfolkError.Code) {
        #expect(KinfolkError(code, "A reason.").recoverySuggestion == nil)
    }
}
