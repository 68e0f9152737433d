import Floors
import Kinfolk

/// A vCard file is parsed, and its addresses are canonicalised and hashed.
enum VCardWork {
    static func measure(_ setting: Setting) throws -> [Section] {
        let small = try VCardFile.write(to: setting.scratch, photoLines: 5)
        let large = try VCardFile.write(to: setting.scratch, photoLines: 85)
        try verify(small)
        let reading = try Pair(.processor, runs: setting.runs) { _ in
            var book = ContactBook()
            guard try book.add(contentsOfFile: small).added == VCardFile.cards else {
                throw Failure("Cards were lost.")
            }
        } floor: { _ in
            guard floor_scan_vcards(small).addresses == VCardFile.cards else { throw Failure("The floor lost cards.") }
        }
        let memory = [try Child.bytes("vcard", small), try Child.bytes("vcard", large)]
        let sizes = [small, large].map { (Machine.size(of: $0) ?? 0) / 1_000_000 }
        return [
            Section(
                title: "vCard file of 10,000 cards with photos",
                rows: [
                    Row("\(sizes[0]) MB", reading, in: .milliseconds, goal: .ratioAtMost(3)),
                    Row(name: "peak memory, \(sizes[0]) MB", value: memory[0] / 1e6, unit: .megabytes),
                    Row(
                        name: "peak memory, \(sizes[1]) MB, over that",
                        value: (memory[1] - memory[0]) / 1e6,
                        unit: .megabytes,
                        goal: .atMost(1)
                    ),
                ]
            )
        ]
    }

    /// Ends the run unless the product and the floor hash the same addresses.
    private static func verify(_ path: String) throws {
        var book = ContactBook()
        _ = try book.add(contentsOfFile: path)
        var all = [UInt8](repeating: 0, count: ContactHash.byteCount)
        for index in 0..<book.count {
            book.hash(at: index)?.withUnsafeBytes { for (offset, byte) in $0.enumerated() { all[offset] ^= byte } }
        }
        let scan = floor_scan_vcards(path)
        guard withUnsafeBytes(of: scan.hashes, { $0.elementsEqual(all) }) else {
            throw Failure("The product and the floor read different addresses.")
        }
    }
}
