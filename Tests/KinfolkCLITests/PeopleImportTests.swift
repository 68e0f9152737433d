import Foundation
import Testing

@Suite struct PeopleImportTests {
    @Test func everyPersonIsImportedWithTheirDecision() throws {
        let kinfolk = try CommandLineTool.withPeople()
        #expect(try kinfolk.session("ada@example.com", "session discoverable status").output == "granted\n")
        #expect(try kinfolk.session("alan@example.com", "session discoverable status").output == "denied\n")
        #expect(try kinfolk("account", "show", "g@example.org").output.contains("Grace Sample"))
        let again = try kinfolk.importPeople("people.csv", "--json").json()
        #expect(again["created"] as? Int == 0)
        #expect(again["skipped_count"] as? Int == 3)
        #expect(again.skips == ["2 addressTaken", "3 addressTaken", "4 addressTaken"])
    }

    @Test func invalidRowsAreReportedByLineAndTheRestIsImported() throws {
        let kinfolk = try CommandLineTool.withPeople()
        let file = try kinfolk.file(
            "more.csv",
            """
            Given Name;Last Name;E-mail;Consent
            "Line
            break";One;one@example.com;TRUE
            Bad;Address;secret-nonsense;yes
            Half;Bad;secret-nonsense ::: half@example.com;0
            None;At All;;yes
            Unclear;Consent;unclear@example.com;perhaps
            Twin;A;twin@example.com;
            Twin;B;TWIN@example.com;
            Taken;Address;new@example.com ::: ada@example.com;yes
            \(String(repeating: "x", count: 1_025));Long;long@example.com;yes

            """
        )
        let run = try kinfolk.importPeople(file, "--json")
        let report = try run.json()
        #expect(report["rows"] as? Int == 9)
        #expect(report["created"] as? Int == 3)
        #expect(report["granted"] as? Int == 1)
        #expect(report["denied"] as? Int == 1)
        #expect(report["undetermined"] as? Int == 1)
        #expect(
            Set(report.skips) == [
                "4 noAtSign", "5 noAtSign", "6 noAddress", "7 unclearConsent", "9 addressTaken", "10 addressTaken",
                "11 nameTooLong",
            ]
        )
        #expect(!run.output.contains("secret"))
        #expect(try kinfolk("account", "show", "half@example.com").status == 0)
        #expect(try kinfolk("account", "show", "new@example.com").status == 12, "nobody is made half")
        #expect(try kinfolk("account", "show", "ada@example.com").output.contains("Ada Example"))
    }

    @Test func peopleMayComeFromStandardInput() throws {
        let kinfolk = try CommandLineTool.withPeople()
        let run = try kinfolk.importPeople("-", "--json", input: "email,first name\nbo@example.com,Bo\n")
        #expect(try run.json()["created"] as? Int == 1)
        #expect(try kinfolk("account", "show", "bo@example.com").output.contains("  Bo  "))
    }

    @Test func consentWithoutAWordingImportsNobody() throws {
        let kinfolk = try CommandLineTool.withPeople()
        let file = try kinfolk.file("more.csv", "email,consent\nbo@example.com,yes\n")
        let container = CommandLineTool.container
        let refused = try kinfolk("account", "import", file, "--container", container)
        #expect(refused.status == 11)
        #expect(refused.errors.contains("--consent-text and --consent-version"), "\(refused.errors)")
        #expect(try kinfolk("account", "import", file, "--container", container, "--consent-text", "Yes?").status == 64)
        #expect(try kinfolk("account", "show", "bo@example.com").status == 12)
    }

    @Test func ignoredColumnsAreReported() throws {
        let kinfolk = try CommandLineTool.withPeople()
        let file = try kinfolk.file("more.csv", "email,consented,E-Mail Address,\nbo@example.com,yes,b@example.com,\n")
        let run = try kinfolk.importPeople(file)
        #expect(run.output.contains("\nIgnored columns: consented, E-Mail Address.\n"), "\(run.output)")
        let json = try kinfolk.importPeople(file, "--json").json()
        #expect(json["ignored_columns"] as? [String] == ["consented", "E-Mail Address"])
        #expect(try !kinfolk.importPeople("people.csv").output.contains("Ignored"))
    }

    @Test func aFileWithoutPeopleIsRefused() throws {
        let kinfolk = try CommandLineTool.withPeople()
        #expect(try kinfolk.importPeople(kinfolk.file("a.csv", "name,phone\nBo,5550100\n")).status == 11)
        #expect(try kinfolk.importPeople(kinfolk.file("b.csv", "")).status == 11)
        let missing = try kinfolk.importPeople("missing.csv")
        #expect(
            missing.status == 12 && missing.errors.hasSuffix(": There is no file missing.csv.\n"),
            "\(missing.errors)"
        )
        #expect(try kinfolk.importPeople(".").status == 11)
        #expect(try kinfolk("account", "import", "a.csv", "--container", "com.example.other").status == 12)
    }

    @Test func manySkippedRowsAreCountedInsteadOfListed() throws {
        let kinfolk = try CommandLineTool.withPeople()
        let rows = (1...1_500).map { "nonsense\($0)" }.joined(separator: "\n")
        let file = try kinfolk.file("more.csv", "email\n\(rows)\n")
        #expect(try kinfolk.importPeople(file).output.hasSuffix("and 1480 more\n"))
        let report = try kinfolk.importPeople(file, "--json").json()
        #expect(report["skipped_count"] as? Int == 1_500)
        #expect(report.skips.count == 1_000)
    }
}

extension [String: Any] {
    fileprivate var skips: [String] {
        (self["skipped"] as? [[String: Any]] ?? []).map { "\($0["line"] ?? "?") \($0["code"] ?? "?")" }
    }
}
