import Testing

@testable import Kinfolk

@Suite("CSV reader")
struct CSVReaderTests {
    private func rows(_ text: String, pieces: Int = .max) throws -> [[String]] {
        var rows: [[String]] = []
        var reader = CSVReader()
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: min(pieces, max(bytes.count, 1))) {
            let piece = Array(bytes[start..<min(bytes.count, start + min(pieces, bytes.count))])
            try reader.push(piece.span) { row in rows.append((0..<row.count).map { row[$0] }) }
        }
        try reader.finish { row in rows.append((0..<row.count).map { row[$0] }) }
        return rows
    }

    @Test func followsRFC4180() throws {
        #expect(try rows("a,b,c\r\n1,2,3\r\n") == [["a", "b", "c"], ["1", "2", "3"]])
        #expect(try rows("a,b,c\r\n1,2,3") == [["a", "b", "c"], ["1", "2", "3"]])
        #expect(try rows("\"a\",\"b\r\nb\",\"c\"\"c\"\r\n\"\",,\"\"\r\n") == [["a", "b\r\nb", "c\"c"], ["", "", ""]])
        #expect(try rows("a,\n,b\n,\n") == [["a", ""], ["", "b"], ["", ""]])
    }

    @Test func acceptsVariantsThatProgramsWrite() throws {
        #expect(try rows("a\rb\r\rc\r") == [["a"], ["b"], ["c"]])
        #expect(try rows("a\"b,\"c\"d,e\n") == [["a\"b", "cd", "e"]])
        #expect(try rows("\n\na;b,c;d\n1;2\n") == [["a", "b,c", "d"], ["1", "2"]])
        #expect(try rows("\"a,b,c\"\td\n") == [["a,b,c", "d"]])
        #expect(try rows("") == [])
        #expect(try rows("\"\"\n\n,\n") == [["", ""]])
    }

    @Test func aMissingFieldIsEmpty() throws {
        var reader = CSVReader()
        var seen = false
        try reader.finish { _ in }
        try reader.push(Array("a,b\n".utf8).span) { row in
            seen = true
            for index in [-1, 2, Int.max, Int.min] { #expect(row[index].isEmpty) }
        }
        #expect(seen)
    }

    @Test func anUnclosedQuotationMarkIsAFault() throws {
        var faults: [String] = []
        var reader = CSVReader()
        let text = Array("a,b\n1,\"2\n3,4\n".utf8)
        try reader.push(text.span) { row in faults.append("\(row.line):\(row.fault?.name ?? "-")") }
        try reader.finish { row in faults.append("\(row.line):\(row.fault?.name ?? "-")") }
        #expect(faults == ["1:-", "2:unclosedQuote"])
    }

    @Test func aRowThatIsTooLongIsAFaultAndTheNextOneIsRead() throws {
        let long = String(repeating: "x", count: CSVReader.maximumRowByteCount + 1)
        let commas = String(repeating: ",", count: CSVReader.maximumRowByteCount + 1)
        let rows = [("1,\(long)", "rowTooLong"), (commas, "rowTooLong"), ("1,\"\(long)", "unclosedQuote")]
        for (row, fault) in rows {
            var seen: [String] = []
            var reader = CSVReader()
            let text = Array("a,b\n\(row)\n3,4\n".utf8)
            try reader.push(text.span) { row in seen.append("\(row.line):\(row.fault?.name ?? row[0])") }
            try reader.finish { row in seen.append("\(row.line):\(row.fault?.name ?? row[0])") }
            #expect(seen == ["1:a", "2:\(fault)", "3:3"])
        }
    }

    @Test func piecesOfAnySizeGiveTheSameRows() throws {
        let text = "a;b;c\r\n\"1\";\"2\r\n2\"\"\";3\r\r\n\"\";;\"x\"\"\"\r\nlast;\"row\""
        let whole = try rows(text)
        #expect(whole.count == 4)
        for size in 1...text.utf8.count { #expect(try rows(text, pieces: size) == whole) }
    }

    @Test func readsTheRowsOfAFile() throws {
        var text = "given_name;email\r\n"
        for index in 0..<30_000 { text += "Zoë \(index);zoe\(index)@example.com\r\n" }
        for bytes in [Array(text.utf8), Array(text.unicodeScalars.map { UInt8($0.value) })] {
            try ContactFixture.withFile(bytes) { path in
                var names: [String] = []
                var progress = 0
                try CSVReader.read(contentsOfFile: path, progress: { bytesRead, _ in progress = bytesRead }) { row in
                    if names.count < 2 || row.line == 30_001 { names.append(row[0]) }
                }
                #expect(names == ["given_name", "Zoë 0", "Zoë 29999"])
                #expect(progress == bytes.count)
            }
        }
    }

    @Test func readingAFileStopsAtARefusedRow() throws {
        try ContactFixture.withFile(Array("a\nb\nc\n".utf8)) { path in
            var lines: [Int] = []
            #expect(throws: KinfolkError.self) {
                try CSVReader.read(contentsOfFile: path) { row throws(KinfolkError) in
                    lines.append(row.line)
                    if row[0] == "b" { throw KinfolkError(.invalidArgument, "No b.") }
                }
            }
            #expect(lines == [1, 2])
        }
        #expect(throws: KinfolkError.self) { try CSVReader.read(contentsOfFile: "/nonexistent/people.csv") { _ in } }
    }
}
