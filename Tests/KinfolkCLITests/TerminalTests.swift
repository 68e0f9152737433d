import Testing

/// The output on a terminal, in a pipe, or to a closed pipe.
@Suite struct TerminalTests {
    private static let escape = "\u{1b}"

    @Test func namesCannotControlTheTerminal() throws {
        let kinfolk = try CommandLineTool.withPeople()
        let name = "A\u{1b}[2J\u{7}\r\n\u{9b}31m\u{202e}\u{2066}\u{200b}\u{2028}\u{85}B"
        try kinfolk("account", "create", "--given-name", name, "--email", "evil@example.com", "--verified")
        for command in [["list"], ["show", "evil@example.com"]] {
            let shown = try kinfolk.shell("$kinfolk account \(command.joined(separator: " "))").output
            #expect(
                shown.contains(
                    "A\\u{1B}[2J\\u{7}\\u{D}\\u{A}\\u{9B}31m\\u{202E}\\u{2066}\\u{200B}\\u{2028}\\u{85}B"
                )
            )
            #expect(shown.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control })
        }
        let json = try kinfolk("account", "show", "evil@example.com", "--json")
        #expect(try json.json()["given_name"] as? String == name)
        #expect(json.output.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control })
        #expect(!json.output.unicodeScalars.contains("\u{202e}"))
    }

    @Test func aTableFitsTheTerminalAndIsNotCutInAPipe() throws {
        let kinfolk = try CommandLineTool.withPeople()
        let name = String(repeating: "long ", count: 20)
        try kinfolk("account", "create", "--given-name", name, "--email", "long@example.com", "--verified")
        let shown = try kinfolk.terminal("$kinfolk account list", environment: ["NO_COLOR": "1"])
        let lines = shown.output.split(whereSeparator: \.isNewline)
        #expect(lines.count == 5)
        #expect(lines.allSatisfy { $0.count <= 80 })
        #expect(shown.output.contains("…"))
        let piped = try kinfolk("account", "list").output
        #expect(piped.contains(name))
        #expect(!piped.contains("…"))
    }

    @Test func columnsAreAlignedByTheWidthOfCharacters() throws {
        let kinfolk = try CommandLineTool.withPeople()
        // Characters of two columns, of none and of one: each text has six columns.
        for name in ["王小明", "e\u{301}e\u{301}e\u{301}abc", "abcdef", "👩‍👩‍👧abcd"] {
            try kinfolk("account", "create", "--given-name", name)
        }
        let lines = try kinfolk("account", "list").lines.filter { $0.contains("  -  ") }
        #expect(lines.count == 4)
        let rests = lines.map { line in line.drop { $0 != "-" } }
        #expect(Set(rests).count == 1)
        // The longest name is "Grace Sample", of twelve columns.
        for line in lines {
            let name = line.dropFirst(34).prefix { $0 != " " }
            let padding = line.dropFirst(34 + name.count).prefix { $0 == " " }
            #expect(padding.count == 8, "\(line)")
        }
    }

    @Test func colourIsUsedOnlyOnTerminalsThatAllowIt() throws {
        let kinfolk = try CommandLineTool.withPeople()
        let escape = Self.escape
        #expect(try kinfolk.terminal("$kinfolk account list").output.contains(escape))
        #expect(try !kinfolk.terminal("$kinfolk account list", environment: ["NO_COLOR": "1"]).output.contains(escape))
        #expect(try !kinfolk.terminal("$kinfolk account list", environment: ["TERM": "dumb"]).output.contains(escape))
        let piped = try kinfolk.terminal("$kinfolk account list | cat; $kinfolk account show x 2>&1 | cat")
        #expect(!piped.output.contains(escape))
        #expect(try kinfolk.terminal("$kinfolk account show x").output.contains(escape))
    }

    @Test func progressIsShownOnlyOnATerminal() throws {
        let kinfolk = try CommandLineTool.withPeople()
        let rows = (1...20_000).map { "person\($0)@example.com" }.joined(separator: "\n")
        let file = try kinfolk.file("many.csv", "email\n\(rows)\n")
        let command = "$kinfolk account import \(file) --container \(CommandLineTool.container)"
        let shown = try kinfolk.terminal("\(command) --json > /dev/null")
        #expect(shown.output.contains("Importing ["))
        #expect(shown.output.hasSuffix("\r\(Self.escape)[K"))
        let again = try kinfolk.shell("\(command) >/dev/null")
        #expect(again.errors.isEmpty)
    }

    @Test func writingToAClosedOutputIsAnError() throws {
        let kinfolk = try CommandLineTool.withPeople()
        for command in ["account list", "container create com.example.b", "session status --account ada@example.com"] {
            let container = command.hasPrefix("session") ? " --container \(CommandLineTool.container)" : ""
            let closed = try kinfolk.shell(
                "$kinfolk \(command)\(container) >&- 2>message; status=$?; cat message; exit $status"
            )
            #expect(closed.status == 74, "\(command)")
            #expect(closed.output.contains("outputFailed"))
        }
        #expect(try kinfolk.shell("$kinfolk account list <&- 2>&-").status == 0)
        #expect(try kinfolk.shell("$kinfolk account list >/dev/full").status == 74)
        #expect(try kinfolk("account", "list").status == 0)
    }

    @Test func theCommandEndsQuietlyIfItsReaderCloses() throws {
        let kinfolk = try CommandLineTool.withPeople()
        let rows = (1...3_000).map { "person\($0)@example.com" }.joined(separator: "\n")
        let file = try kinfolk.file("many.csv", "email\n\(rows)\n")
        try kinfolk("account", "import", file, "--container", CommandLineTool.container)
        let left = try kinfolk.shell(
            "{ $kinfolk account list --json --limit 3000; echo \"status $?\" >&2; } | head -n 1"
        )
        #expect(left.output == "{\n")
        #expect(left.errors == "status 141\n")
    }
}
