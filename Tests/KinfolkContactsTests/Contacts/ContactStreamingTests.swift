import TestSupport
import Testing

@testable import Kinfolk

@Suite("Contacts in pieces")
struct ContactStreamingTests {
    private struct Outcome: Equatable {
        var entries: [ContactBook.Entry] = []
        var skips: [String] = []
        var counts: [Int] = []
        var failed = false
    }

    private func read(_ bytes: [UInt8], pieces size: Int, _ format: ContactFormat) -> Outcome {
        var importer = ContactImporter(format)
        var book = ContactBook()
        var outcome = Outcome()
        do {
            for start in stride(from: 0, to: bytes.count, by: size) {
                try importer.push(bytes.span.extracting(start..<min(start + size, bytes.count)), into: &book)
            }
            let report = try importer.finish(into: &book)
            outcome.skips = report.skips
            outcome.counts = [report.added, report.entries, report.withoutEmail, report.skippedCount]
        } catch {
            outcome.failed = true
        }
        outcome.entries = book.entries
        return outcome
    }

    @Test("give what the whole gives, whatever their size", arguments: ContactFixture.names)
    func pieces(name: String) throws {
        let bytes = try ContactFixture.bytes(name)
        let format = try ContactFixture.read(name).report.format
        let whole = read(bytes, pieces: bytes.count, format)
        #expect(!whole.entries.isEmpty)
        #expect(whole.entries == (try ContactFixture.read(name).book.entries))
        for size in 1...min(bytes.count, 130) {
            #expect(read(bytes, pieces: size, format) == whole, "pieces of \(size)")
        }
    }

    @Test("never trap where they are cut off, and never add what is not there", arguments: ContactFixture.names)
    func cutOff(name: String) throws {
        let bytes = try ContactFixture.bytes(name)
        let format = try ContactFixture.read(name).report.format
        let whole = read(bytes, pieces: bytes.count, format)
        let wrong = (0..<bytes.count).filter { length in
            let part = read(Array(bytes.prefix(length)), pieces: 64, format)
            // An incomplete card is ignored. A line or a row that is cut off may still be a complete one.
            return (format == .vCard || format == .jCard) && !part.entries.allSatisfy(whole.entries.contains)
        }
        #expect(wrong.isEmpty)
    }

    @Test("never trap when bytes are changed at random", arguments: ContactFixture.names)
    func changed(name: String) throws {
        var generator = SeededGenerator(seed: 5)
        let bytes = try ContactFixture.bytes(name)
        let marks = Array("\r\n\t ,;:=\"\\@<>.#%BEGIN".utf8) + [0, 0x80, 0xC3, 0xE3, 0xFF, 0xFE]
        for _ in 0..<(Search.isLong ? 3_000 : 60) {
            var changed = bytes
            for _ in 0..<Int.random(in: 1...20, using: &generator) {
                changed[Int.random(in: 0..<changed.count, using: &generator)] =
                    marks.randomElement(using: &generator) ?? 0
            }
            for format in ContactFormat.allCases { _ = read(changed, pieces: 97, format) }
            _ = ContactFormat(detecting: changed.span, isAll: true)
        }
    }
}
