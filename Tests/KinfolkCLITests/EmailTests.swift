import TestSupport
import Testing

/// The canonical form of an address and its hash, without a store.
@Suite struct EmailTests {
    private static let hash = "b5fc85e55755f9e0d030a10ab4429b6b2944855f9a0d60077fe832becbc41d72"

    @Test func anAddressIsShownWithItsHash() throws {
        let kinfolk = try CommandLineTool()
        let shown = try kinfolk("email", " Ada@Example.COM")
        #expect(shown.status == 0)
        #expect(shown.lines == ["ada@example.com", "\(Self.hash)"])
        let json = try kinfolk("email", "Ada@Example.COM", "--json").json()
        #expect(json["canonical"] as? String == "ada@example.com")
        #expect(json["hash"] as? String == Self.hash)
        #expect(try kinfolk.shell("ls -A").output.isEmpty, "no store is made")
    }

    @Test func severalAddressesArePrintedAsATable() throws {
        let kinfolk = try CommandLineTool()
        let shown = try kinfolk("email", "ada@BÜCHER.example", "-", input: "Ada@Example.com\r\n\n grace@example.com\n")
        #expect(shown.status == 0)
        #expect(shown.lines.count == 4)
        #expect(shown.lines.contains { $0.contains("ada@example.com") && $0.contains(Self.hash) })
        #expect(shown.lines.contains { $0.contains("ada@xn--bcher-kva.example") })
        let json = try kinfolk("email", "-", "--json", input: "ada@example.com\n").json()
        let emails = try #require(json["emails"] as? [[String: Any]])
        #expect(emails.map { $0["hash"] as? String } == [Self.hash])
    }

    @Test func aRefusalNamesTheReason() throws {
        let kinfolk = try CommandLineTool()
        let shown = try kinfolk("email", "ada@localhost")
        #expect(shown.status == 11)
        #expect(shown.lines.first?.hasPrefix("Refused (unqualifiedDomain): ") == true)
        let json = try kinfolk("email", "ada", "ada@example.com", "--json").json()
        let emails = try #require(json["emails"] as? [[String: Any]])
        #expect(emails.map { $0["refused"] as? String } == ["noAtSign", nil])
        let bytes = try kinfolk.shell("printf '\\377@example.com\\n' | \"$kinfolk\" email - --json").json()
        #expect((bytes["emails"] as? [[String: Any]])?.first?["refused"] as? String == "notUTF8")
    }

    @Test func withoutAnAddressTheUsageIsShown() throws {
        #expect(try CommandLineTool()("email").status == 64)
    }
}
