import Testing

@Suite struct SessionTests {
    @Test func theUserRecordIDIsStableInAContainerAndUnrelatedInAnother() throws {
        let kinfolk = try CommandLineTool.withPeople()
        let id = try kinfolk.userRecordID("ada@example.com")
        #expect(id.wholeMatch(of: /_[0-9a-f]{32}/) != nil)
        #expect(try kinfolk.userRecordID("ada@example.com") == id)
        try kinfolk("container", "create", "org.example.games")
        let other = try kinfolk.shell(
            "$kinfolk session user-record-id --container org.example.games --account ada@example.com --json"
        )
        #expect(try other.json()["user_record_id"] as? String != id)
    }

    @Test func anUnknownAccountOrContainerIsAnUnknownItem() throws {
        let kinfolk = try CommandLineTool.withPeople()
        #expect(try kinfolk.session("nobody@example.com", "session status").status == 12)
        #expect(try kinfolk.session(String(repeating: "0", count: 32), "session status").status == 12)
        #expect(try kinfolk.session("nonsense", "session status").status == 11)
        let elsewhere = try kinfolk.shell("$kinfolk session status --container com.example.x --account ada@example.com")
        #expect(elsewhere.status == 12)
    }

    @Test func discoverabilityIsTurnedOffAndOn() throws {
        let kinfolk = try CommandLineTool.withPeople()
        let find = "discover email grace@example.org"
        #expect(try kinfolk.session("grace@example.org", "session discoverable off").output == "denied\n")
        #expect(try kinfolk.session("ada@example.com", find).output == CommandLineTool.nobody)
        #expect(try kinfolk.session("grace@example.org", "session discoverable on").status == 64)
        let on = "session discoverable on --consent-text 'Really?' --consent-version 2 --json"
        #expect(try kinfolk.session("grace@example.org", on).json()["discoverability"] as? String == "granted")
        #expect(try kinfolk.session("ada@example.com", find).output.contains("Grace Sample"))
        let export = try kinfolk("account", "export", "grace@example.org").output
        #expect(export.contains("Really?"))
        // The export for the person contains neither the account's ID nor an address.
        let own = try kinfolk.session("grace@example.org", "session export")
        #expect(try own.json()["user_record_id"] as? String == kinfolk.userRecordID("grace@example.org"))
        #expect(own.output.contains("Really?") && !own.output.contains("@") && !own.output.contains("account_id"))
    }

    @Test func statusTellsWhatTheApplicationSees() throws {
        let kinfolk = try CommandLineTool.withPeople()
        let status = try kinfolk.session("alan@example.com", "session status --json").json()
        #expect(status["account_status"] as? String == "available")
        #expect(status["discoverability"] as? String == "denied")
        #expect(status["user_record_id"] as? String == (try kinfolk.userRecordID("alan@example.com")))
    }
}
