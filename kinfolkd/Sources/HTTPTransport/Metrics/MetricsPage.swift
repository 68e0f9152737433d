/// A page in Prometheus' text format.
struct MetricsPage {
    enum Kind: String {
        case counter, gauge, histogram
    }

    private(set) var text = ""
    private var name = ""

    mutating func family(_ name: String, _ kind: Kind, _ help: String) {
        self.name = name
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
    }

    mutating func single(_ name: String, _ kind: Kind, _ help: String, _ value: Int) {
        family(name, kind, help)
        sample(value)
    }

    mutating func sample(_ value: Int, _ labels: [(String, String)] = [], suffix: String = "") {
        line("\(value)", labels, suffix)
    }

    mutating func histogram(_ histogram: Histogram, _ labels: [(String, String)]) {
        var sum = 0
        for (bound, count) in zip(Histogram.bounds, histogram.counts) {
            sum += count
            sample(sum, labels + [("le", MetricsPage.seconds(bound))], suffix: "_bucket")
        }
        sample(histogram.count, labels + [("le", "+Inf")], suffix: "_bucket")
        line(MetricsPage.seconds(histogram.nanoseconds), labels, "_sum")
        sample(histogram.count, labels, suffix: "_count")
    }

    private mutating func line(_ value: String, _ labels: [(String, String)], _ suffix: String) {
        let shown = labels.map { #"\#($0)="\#($1)""# }.joined(separator: ",")
        text += name + suffix + (labels.isEmpty ? " " : "{\(shown)} ") + value + "\n"
    }

    private static func seconds(_ nanoseconds: Int64) -> String { "\(Double(nanoseconds) / 1e9)" }
}
