import Testing

@Suite struct ContainerTests {
    @Test func containersAreMadeOnceAndListed() throws {
        let kinfolk = try CommandLineTool()
        try kinfolk("init")
        #expect(try kinfolk("container", "list").output.hasPrefix("There are no containers: "))
        #expect(try kinfolk("container", "create", "com.example.notes").status == 0)
        #expect(try kinfolk("container", "create", "com.example.notes").status == 18)
        #expect(try kinfolk("container", "create", "nodots").status == 11)
        #expect(try kinfolk("container", "create", "com.example.games").status == 0)
        let containers = try kinfolk("container", "list", "--json").json()["containers"] as? [[String: Any]]
        #expect(containers?.compactMap { $0["container"] as? String } == ["com.example.games", "com.example.notes"])
    }

    @Test func permitsAreShownAndChangedOneByOne() throws {
        let kinfolk = try CommandLineTool.withPeople()
        let before = try kinfolk("container", "permits", CommandLineTool.container, "--json").json()
        #expect(before["permit_capacity"] as? Int == 20_000)
        #expect(before["permits_per_hour"] as? Double == 10)
        try kinfolk("container", "permits", CommandLineTool.container, "--capacity", "7")
        let after = try kinfolk("container", "permits", CommandLineTool.container, "--per-hour=0.5", "--json").json()
        #expect(after["permit_capacity"] as? Int == 7)
        #expect(after["permits_per_hour"] as? Double == 0.5)
        #expect(try kinfolk("container", "permits", CommandLineTool.container, "--per-hour=-1").status == 11)
        #expect(try kinfolk("container", "permits", CommandLineTool.container, "--capacity=0").status == 11)
        #expect(try kinfolk("container", "permits", "com.example.other").status == 12)
    }

    @Test func aRemovedFieldMayBeUsedWithAnotherType() throws {
        let kinfolk = try CommandLineTool.withPeople()
        try kinfolk.session("ada@example.com", "session record set score:int64=1")
        #expect(try kinfolk.session("grace@example.org", "session record set score:string=x").status == 11)
        let remove = ["container", "remove-field", CommandLineTool.container, "score"].joined(separator: " ")
        #expect(try kinfolk.shell("$kinfolk \(remove)").status == 64, "no terminal to ask on")
        #expect(try kinfolk.shell("$kinfolk \(remove) --yes").status == 0)
        #expect(try kinfolk.shell("$kinfolk \(remove) --yes").status == 12)
        #expect(try kinfolk.session("grace@example.org", "session record set score:string=x").status == 0)
        #expect(try !kinfolk.session("ada@example.com", "session record get").output.contains("score"))
    }
}
