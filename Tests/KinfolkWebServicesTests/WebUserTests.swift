import Kinfolk
import KinfolkWebServices
import ServiceSupport
import TestSupport
import Testing

/// Users over the protocol of CloudKit Web Services.
@Suite("Web services: users") struct WebUserTests {
    private let store: TestService
    private let ada: WebClient
    private let ben: Session

    init() throws {
        store = try TestService()
        _ = try store.account("Ada", emails: "ada@example.com")
        ada = try WebClient(store, for: "ada@example.com")
        try ada.container.setPermitLimit(.test(capacity: 100, perHour: 10))
        ben = try store.discoverable("Ben", emails: "ben@example.com", in: ada.container)
    }

    @Test func theCallerSeesThemself() throws {
        let caller = ada.ask("users/caller", in: "public", nil)
        let id = try #require(caller["userRecordName"])
        #expect(caller["users.0.userRecordName"] == id && caller["nameComponents"] == nil)
        #expect(ada.ask("users/current", in: "private", "")["userRecordName"] == id)
        let benAsClient = try WebClient(store, for: "ben@example.com")
        let other = benAsClient.ask("users/current", in: "public", nil)
        #expect(other["nameComponents.givenName"] == "Ben" && other["users.0.firstName"] == "Ben")
    }

    @Test func aPersonIsFoundAndOneWhoCannotBeFoundLooksLikeNobody() throws {
        _ = try store.session("Cleo", emails: "cleo@example.com", in: ada.container)
        let found = ada.ask(
            "users/discover",
            in: "public",
            """
            {"lookupInfos": [{"emailAddress": "Ben@example.com"}, {"emailAddress": "cleo@example.com"},
                {"emailAddress": "nobody@example.com"}, {"emailAddress": "no address"},
                {"userRecordName": "\(try ben.userRecordID())"}, {"userRecordName": "x"}]}
            """
        )
        #expect(found["users.0.lookupInfo.emailAddress"] == "Ben@example.com")
        #expect(found["users.0.userRecordName"] == "\(try ben.userRecordID())")
        #expect(
            found["users.0.nameComponents.givenName"] == "Ben" && found["users.4.nameComponents.givenName"] == "Ben"
        )
        #expect(found["users.1"] == #"{"lookupInfo": {"emailAddress": "cleo@example.com"}}"#)
        #expect(found["users.2"] == #"{"lookupInfo": {"emailAddress": "nobody@example.com"}}"#)
        #expect(found["users.3"] == #"{"lookupInfo": {"emailAddress": "no address"}}"#)
        #expect(found["users.5"] == #"{"lookupInfo": {"userRecordName": "x"}}"#)
        let older = ada.ask("users/lookup/email", in: "public", #"{"users": [{"emailAddress": "ben@example.com"}]}"#)
        #expect(older["users.0.firstName"] == "Ben" && older["users.0.emailAddress"] == "ben@example.com")
        let byID = ada.ask(
            "users/lookup/id",
            in: "public",
            #"{"users": [{"userRecordName": "\#(try ben.userRecordID())"}]}"#
        )
        #expect(byID["users.0.lastName"] == "Example" && byID["users.0.emailAddress"] == nil)
    }

    @Test func anApplicationAloneReadsThePublicDatabaseOnly() throws {
        let app = try WebClient(store)
        #expect(
            app.ask("records/lookup", in: "public", #"{"records": ["a"]}"#)["records.0.serverErrorCode"] == "NOT_FOUND"
        )
        for (operation, database) in [
            ("records/lookup", "private"), ("users/current", "public"), ("records/modify", "public"),
            ("users/discover", "public"), ("zones/list", "private"), ("subscriptions/list", "public"),
        ] {
            let reply = app.ask(operation, in: database, "{}")
            #expect(reply.status == 421 && reply["serverErrorCode"] == "AUTHENTICATION_REQUIRED", "\(operation)")
        }
        #expect(app.ask("records/unknown", in: "public", "{}").status == 404)
        #expect(app.ask("records/lookup", in: "shared", "{}").status == 400)
    }
}
