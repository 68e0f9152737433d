import Foundation
import Testing

@Suite struct AccountTests {
    @Test func createPrintsOnlyTheID() throws {
        let kinfolk = try CommandLineTool.withPeople()
        let run = try kinfolk("account", "create", "--given-name", "Bo", "--email", "bo@example.com", "--verified")
        #expect(run.status == 0)
        #expect(run.output.wholeMatch(of: /[0-9a-f]{32}\n/) != nil)
        let id = String(run.output.dropLast())
        #expect(try kinfolk("account", "show", "BO@example.com", "--json").json()["account_id"] as? String == id)
    }

    @Test func aRefusedAddressMakesNoAccount() throws {
        let kinfolk = try CommandLineTool.withPeople()
        let new = ["account", "create", "--email", "new@example.com", "--email"]
        #expect(try kinfolk(arguments: new + ["Ada@example.com", "--verified"]).status == 18)
        #expect(try kinfolk(arguments: new + ["bad"]).status == 11)
        #expect(try kinfolk("account", "list", "--json").accountIDs.count == 3)
    }

    @Test func listShowsAllAccountsInPages() throws {
        let kinfolk = try CommandLineTool.withPeople()
        let all = try kinfolk("account", "list", "--json").accountIDs
        #expect(all.count == 3)
        let first = try kinfolk("account", "list", "--limit", "2", "--json")
        let next = try #require(try first.json()["next"] as? String)
        let second = try kinfolk("account", "list", "--limit", "2", "--after", next, "--json")
        #expect(try first.accountIDs + second.accountIDs == all)
        #expect(try second.json()["next"] is NSNull)
        #expect(try kinfolk("account", "list", "--limit", "2").output.hasSuffix("More: --after \(next)\n"))
    }

    @Test func anAddressIsEffectiveOnlyAfterVerification() throws {
        let kinfolk = try CommandLineTool.withPeople()
        try kinfolk("account", "add-email", "ada@example.com", "second@example.com")
        #expect(try kinfolk("account", "show", "second@example.com").status == 12)
        let run = try kinfolk("account", "verify", "ada@example.com", "Second@example.com", "--request")
        #expect(run.lines.count == 3)
        #expect(run.lines.first == "To: second@example.com", "not the text that was typed")
        #expect(run.lines.dropFirst().first?.wholeMatch(of: /Code: [0-9A-Z]{4}-[0-9A-Z]{4}/) != nil)
        #expect(run.lines.last?.wholeMatch(of: /Pass: ([0-9A-Z]{4}-){3}[0-9A-Z]{4}/) != nil)
        let code = String(run.lines.dropFirst().first?.dropFirst("Code: ".count) ?? "")
        let wrong = code == "0000-0000" ? "0000-0001" : "0000-0000"
        #expect(try kinfolk("account", "verify", "ada@example.com", "second@example.com", "--code", wrong).status == 14)
        #expect(try kinfolk("account", "verify", "ada@example.com", "second@example.com", "--code", code).status == 0)
        #expect(try kinfolk("account", "show", "second@example.com").output.contains("Ada Example"))
        #expect(try kinfolk("account", "remove-email", "ada@example.com", "second@example.com").status == 0)
        #expect(try kinfolk("account", "show", "second@example.com").status == 12)
    }

    @Test func anAddressOfAnotherAccountIsClaimed() throws {
        let kinfolk = try CommandLineTool.withPeople()
        try kinfolk("account", "add-email", "grace@example.org", "ada@example.com")
        let claim = try kinfolk("account", "verify", "grace@example.org", "ada@example.com", "--vouch")
        #expect(claim.status == 0)
        #expect(claim.output.contains("It was not moved."))
        #expect(claim.output.contains("Mail the notice to: ada@example.com"))
        let listed = try kinfolk("claim", "list", "--json").json()
        let claims = try #require(listed["claims"] as? [[String: Any]])
        #expect(claims.map { $0["state"] as? String } == ["awaiting notice"])
        let id = try #require(claims.first?["claim_id"] as? String)
        #expect(try kinfolk("claim", "wait").output == "After the notice an owner can refuse a claim for 24.0 hours.\n")
        #expect(try kinfolk("claim", "acknowledge", id).output.contains("waiting"))
        #expect(try kinfolk("claim", "dismiss", id).output.contains("dismissed"))
        #expect(try kinfolk("account", "show", "ada@example.com").output.contains("Ada Example"))
        #expect(try kinfolk("account", "transfer-email", "grace@example.org", "ada@example.com").status == 64)
        try kinfolk("account", "transfer-email", "grace@example.org", "ada@example.com", "--yes")
        #expect(try kinfolk("account", "show", "ada@example.com").output.contains("Grace"))
        #expect(try kinfolk("claim", "list").output == "No claim.\n")
    }

    @Test func anAddressThatTheHostVerifiesIsEffectiveImmediately() throws {
        let kinfolk = try CommandLineTool.withPeople()
        let add = ["account", "add-email", "ada@example.com"]
        let added = try kinfolk(arguments: add + ["new@example.com", "--verified", "--json"]).json()
        #expect((added["emails"] as? [[String: Any]])?.last?["verified_at"] is String)
        #expect(try kinfolk("account", "show", "new@example.com").output.contains("Ada Example"))
        let other = try kinfolk(arguments: add + ["grace@example.org", "--verified"])
        #expect(other.status == 0)
        #expect(other.output.contains("It was not moved"))
    }

    @Test func theHostCanOnlyVerifyAnAddressThatTheAccountHas() throws {
        let kinfolk = try CommandLineTool.withPeople()
        #expect(try kinfolk("account", "verify", "ada@example.com", "other@example.com", "--vouch").status == 12)
        try kinfolk("account", "add-email", "ada@example.com", "other@example.com")
        #expect(try kinfolk("account", "verify", "ada@example.com", "OTHER@example.com", "--vouch").status == 0)
        #expect(try kinfolk("account", "show", "other@example.com").status == 0)
        #expect(try kinfolk("account", "verify", "ada@example.com", "other@example.com").status == 64)
        #expect(
            try kinfolk("account", "verify", "ada@example.com", "other@example.com", "--vouch", "--request").status
                == 64
        )
    }

    @Test func renameKeepsAPartOfTheNameThatIsNotGiven() throws {
        let kinfolk = try CommandLineTool.withPeople()
        let renamed = try kinfolk("account", "rename", "ada@example.com", "--family-name", "Other", "--json").json()
        #expect(renamed["given_name"] as? String == "Ada")
        #expect(renamed["family_name"] as? String == "Other")
        #expect(try kinfolk("account", "rename", "ada@example.com").status == 64)
    }

    @Test func aSuspendedAccountIsRestrictedUntilItIsResumed() throws {
        let kinfolk = try CommandLineTool.withPeople()
        #expect(try kinfolk("account", "suspend", "grace@example.org", "--json").json()["suspended"] as? Bool == true)
        #expect(try kinfolk.session("grace@example.org", "session status").output.contains("restricted"))
        #expect(try kinfolk.session("grace@example.org", "discover email ada@example.com").status == 13)
        #expect(try kinfolk("account", "resume", "grace@example.org").status == 0)
        #expect(try kinfolk.session("grace@example.org", "session status").output.contains("available"))
    }

    @Test func showSaysWhatASearchWouldFind() throws {
        let kinfolk = try CommandLineTool.withPeople()
        func shown(_ account: String) throws -> [Substring] { try kinfolk("account", "show", account).lines }
        #expect(try shown("ada@example.com").last?.hasSuffix("in com.example.notes") == true)
        #expect(try shown("alan@example.com").last?.hasSuffix("no: no consent") == true)
        try kinfolk("account", "add-email", "ada@example.com", "second@example.com")
        #expect(try shown("ada@example.com").last?.hasSuffix("no: not verified") == true)
        try kinfolk("account", "email-discoverable", "g@example.org", "g@example.org", "off")
        #expect(try shown("g@example.org").contains { $0.hasSuffix("no: switched off") })
        #expect(try shown("g@example.org").contains { $0.hasSuffix("in com.example.notes") })
        try kinfolk("account", "suspend", "ada@example.com")
        #expect(try shown("ada@example.com").dropFirst(2).allSatisfy { $0.hasSuffix("no: suspended") })
        let emails = try kinfolk("account", "show", "grace@example.org", "--json").json()["emails"] as? [[String: Any]]
        #expect(emails?.map { $0["found_in"] as? [String] } == [["com.example.notes"], []])
    }

    @Test func anAddressThatIsNotDiscoverableFindsNobody() throws {
        let kinfolk = try CommandLineTool.withPeople()
        #expect(try kinfolk("account", "email-discoverable", "g@example.org", "g@example.org", "off").status == 0)
        #expect(try kinfolk.session("ada@example.com", "discover email g@example.org").output == CommandLineTool.nobody)
        #expect(try kinfolk("account", "email-discoverable", "g@example.org", "g@example.org", "maybe").status == 64)
    }

    @Test func exportIsOneDocumentWithAllData() throws {
        let kinfolk = try CommandLineTool.withPeople()
        let export = try kinfolk("account", "export", "grace@example.org").json()
        #expect(export["family_name"] as? String == "Sample")
        #expect((export["emails"] as? [Any])?.count == 2)
        #expect((export["containers"] as? [Any])?.count == 1)
    }

    @Test func eraseAsksForConfirmation() throws {
        let kinfolk = try CommandLineTool.withPeople()
        #expect(try kinfolk("account", "erase", "ada@example.com").status == 64)
        let declined = try kinfolk.terminal("$kinfolk account erase ada@example.com", input: "n\n")
        #expect(declined.status == 1)
        #expect(declined.output.contains("[y/N]"))
        #expect(try kinfolk("account", "show", "ada@example.com").status == 0)
        let confirmed = try kinfolk.terminal("$kinfolk account erase ada@example.com", input: "y\n")
        #expect(confirmed.status == 0)
        #expect(try kinfolk("account", "show", "ada@example.com").status == 12)
        let erased = try kinfolk("account", "erase", "grace@example.org", "--yes", "--json").json()
        #expect(erased["emails"] as? Int == 2)
        #expect(erased["containers"] as? Int == 1)
        #expect(erased["remembered_emails"] as? Int == 0 && erased["remembered_until"] is NSNull)
        #expect(try kinfolk("account", "erase", "grace@example.org", "--yes").status == 12)
    }
}

extension Run {
    fileprivate var accountIDs: [String] {
        get throws { (try json()["accounts"] as? [[String: Any]] ?? []).compactMap { $0["account_id"] as? String } }
    }
}
