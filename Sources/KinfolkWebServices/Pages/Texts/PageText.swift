/// A text in one language, with places for values: `Sign in to {application}`.
struct PageText: ExpressibleByStringLiteral, Hashable, Sendable {
    /// A part of a text.
    enum Part: Hashable, Sendable {
        case text(String)
        /// The place for the value with this name.
        case value(String)
    }

    let parts: [Part]

    init(stringLiteral text: String) {
        var parts: [Part] = []
        // The first piece has no brace before it; each of the others begins with a name.
        for (index, piece) in text.split(separator: "{", omittingEmptySubsequences: false).enumerated() {
            let halves = piece.split(separator: "}", maxSplits: 1, omittingEmptySubsequences: false)
            if index > 0, halves.count == 2 { parts.append(.value(String(halves[0]))) }
            if let rest = halves.last, !rest.isEmpty { parts.append(.text(String(rest))) }
        }
        self.parts = parts
    }

    /// The text with its values, for a title, an attribute or a mail.
    func plain(_ values: [String: String] = [:]) -> String {
        parts.map { part in
            switch part {
            case .text(let text): text
            case .value(let name): PlainText.line(values[name] ?? "")
            }
        }
        .joined()
    }
}

extension HTML {
    /// Writes a text with its values. Each value has an element of its own, so that its direction does not affect the sentence.
    mutating func text(_ text: PageText, _ values: [String: String] = [:]) {
        for part in text.parts {
            switch part {
            case .text(let text): self.text(text)
            case .value(let name):
                start("bdi")
                self.text(PlainText.line(values[name] ?? ""))
                end("bdi")
            }
        }
    }
}
