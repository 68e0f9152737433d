import Kinfolk
import TestSupport

/// The time to read a text is proportional to its length, for any text: a small text cannot keep a service busy.
///
/// The number of steps is judged; only a debug build counts it. Seconds depend on the machine, so they are only printed.
struct Parsing: Experiment {
    let name = "parsing"
    let promise = "cost of parsing"

    /// More steps for each byte than any shape takes whose cost is proportional to its length.
    private static let mostSteps = 100

    /// A contact in a sync state has 16 bytes, and sorting compares it with some others.
    private static let mostStepsOfStates = 5

    func run(_ length: Length) throws -> [Finding] {
        let size = length.choose(short: 100_000, long: 1_000_000)
        let states = try SyncStateShape(length)
        return ContactFormat.allCases.map { format in finding(format, size) } + [
            Parsing.finding(
                "one large sync state and \(states.small.grouped) small ones",
                [try Cost(of: "", states.bytes.count, states.read)],
                most: Parsing.mostStepsOfStates
            )
        ]
    }

    private func finding(_ format: ContactFormat, _ size: Int) -> Finding {
        let costs = ReadingShape.shapes(of: format.rawValue).map { shape in
            let text = shape.text(size)
            return Cost(of: shape.name, text.count) {
                var book = ContactBook()
                _ = try? book.add(text, as: format)
            }
        }
        return Parsing.finding("\(costs.count) shapes of \(format.rawValue), \(size.grouped) bytes each", costs)
    }

    private static func finding(_ tried: String, _ costs: [Cost], most: Int = mostSteps) -> Finding {
        let slowest = costs.max { $0.secondsPerMegabyte < $1.secondsPerMegabyte }
        let name = slowest.map { $0.name.isEmpty ? "" : " (\($0.name))" } ?? ""
        var found = "at most \((slowest?.secondsPerMegabyte ?? 0).rounded(to: 3)) s per MB\(name)"
        if let steps = costs.compactMap(\.stepsPerByte).max() {
            found += ", at most \(steps) steps a byte"
            return Finding(tried, found, isHeld: steps <= most)
        }
        return Finding(tried, found, isHeld: true)
    }
}
