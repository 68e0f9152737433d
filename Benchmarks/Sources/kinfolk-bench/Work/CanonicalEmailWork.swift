import Floors
import Kinfolk

/// Canonical e-mail addresses: the first step for each contact.
enum CanonicalEmailWork {
    private static let repeats = 10_000

    static func measure(_ setting: Setting) throws -> [Section] {
        let ascii = "Ada.Lovelace+notes@Example.COM"
        let local = "Émilie.Noël@example.com"
        // Of the domain only this label is international.
        let (label, domain) = ("bücher", "bücher.example")
        var canonical = [CChar](repeating: 0, count: Int(FLOOR_ADDRESS))
        let rows = [
            Row(
                "ASCII",
                try pair(ascii, setting) {
                    guard floor_canonicalise(ascii, ascii.utf8.count, &canonical) == ascii.utf8.count else {
                        throw Failure("The floor refuses an address.")
                    }
                },
                in: .nanoseconds,
                goal: .atMost(120)
            ),
            Row(
                name: "non-ASCII local part",
                value: try pair(local, setting) {}.product * Unit.microseconds.perSecondOfTime,
                unit: .microseconds,
                goal: .atMost(1)
            ),
            Row(
                "IDN domain",
                try pair("ada@" + domain, setting) { _ = floor_encode_domain(label) },
                in: .microseconds,
                goal: .atMost(4)
            ),
        ]
        return [Section(title: "Canonical e-mail", rows: rows)]
    }

    private static func pair(_ address: String, _ setting: Setting, floor: () throws -> Void) throws -> Pair {
        try Pair(.processor, runs: setting.runs, repeats: repeats) { _ in
            _ = try EmailAddress(address)
        } floor: { _ in
            try floor()
        }
    }
}
