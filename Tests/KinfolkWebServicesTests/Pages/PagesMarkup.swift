import ServiceSupport

/// A strict reader of HTML as the pages write it: lower-case tags, values in double quotes, every element closed.
///
/// It accepts less than a browser, so that a page which it reads has no markup that a browser would have to repair.
final class PagesMarkup {
    /// An element, with its attributes and what it contains.
    final class Element {
        let name: String
        let attributes: [(name: String, value: String)]
        fileprivate(set) var children: [Element] = []
        /// The texts in it and in its descendants, decoded.
        fileprivate(set) var text = ""

        init(_ name: String, _ attributes: [(name: String, value: String)]) {
            self.name = name
            self.attributes = attributes
        }

        subscript(_ name: String) -> String? { attributes.first { $0.name == name }?.value }

        /// It and its descendants, in the order of their first tags.
        var all: [Element] { [self] + children.flatMap(\.all) }

        /// The names of all elements and of their attributes, without values.
        var skeleton: String {
            let names = attributes.map(\.name).filter { !["href", "action"].contains($0) }.joined(separator: " ")
            return "<\(name) \(names)>" + children.map(\.skeleton).joined() + "</>"
        }
    }

    struct Malformed: Error, CustomStringConvertible {
        let description: String
    }

    private static let empty: Set<String> = ["meta", "input"]
    private static let entities = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "#39": "'", "#13": "\r"]

    private var rest: ArraySlice<UInt8>
    private var open: [Element] = []

    private init(_ bytes: [UInt8]) { rest = bytes[...] }

    /// The element `html` of a page.
    static func read(_ bytes: [UInt8]) throws -> Element {
        guard String(validating: bytes, as: UTF8.self) != nil else { throw Malformed(description: "not UTF-8") }
        return try PagesMarkup(bytes).document()
    }

    private func document() throws -> Element {
        try expect("<!DOCTYPE html>\n")
        try startTag()
        guard let root = open.first, root.name == "html" else { throw error("html is not the first element") }
        while let element = open.last {
            if element.name == "style" || element.name == "script" {
                // Nothing is escaped in these.
                _ = take { $0 != UInt8(ascii: "<") }
                try expect("</\(element.name)>")
                open.removeLast()
            } else if rest.starts(with: "</".utf8) {
                try expect("</\(element.name)>")
                open.removeLast()
                open.last?.text += element.text
            } else if rest.first == UInt8(ascii: "<") {
                try startTag()
            } else {
                element.text += try decoded(take { $0 != UInt8(ascii: "<") })
                guard !rest.isEmpty else { throw error("the end") }
            }
        }
        try expect("\n")
        guard rest.isEmpty else { throw error("text after the end") }
        return root
    }

    private func startTag() throws {
        try expect("<")
        let name = word()
        guard !name.isEmpty else { throw error("a tag without a name") }
        var attributes: [(name: String, value: String)] = []
        while rest.first == UInt8(ascii: " ") {
            rest = rest.dropFirst()
            let name = word()
            try expect("=\"")
            let value = take { $0 != UInt8(ascii: "\"") }
            let isNew = !attributes.contains { $0.name == name }
            guard isNew, !name.isEmpty, !value.contains(UInt8(ascii: "<")), !value.contains(UInt8(ascii: ">")) else {
                throw error("attribute \(name)")
            }
            try expect("\"")
            attributes.append((name, try decoded(value)))
        }
        try expect(">")
        let element = Element(name, attributes)
        open.last?.children.append(element)
        if !PagesMarkup.empty.contains(name) { open.append(element) }
    }

    private func word() -> String {
        let word = take {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                || $0 == UInt8(ascii: "-")
        }
        return String(decoding: word, as: UTF8.self)
    }

    private func take(while condition: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let taken = rest.prefix(while: condition)
        rest = rest[taken.endIndex...]
        return taken
    }

    private func expect(_ text: String) throws {
        guard rest.starts(with: text.utf8) else { throw error("expected \(text)") }
        rest = rest.dropFirst(text.utf8.count)
    }

    private func decoded(_ text: ArraySlice<UInt8>) throws -> String {
        let pieces = text.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
        var result = String(decoding: pieces[0], as: UTF8.self)
        for piece in pieces.dropFirst() {
            let parts = piece.split(separator: UInt8(ascii: ";"), maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(decoding: parts[0], as: UTF8.self)
            guard parts.count == 2, let character = PagesMarkup.entities[name] else { throw error("entity \(name)") }
            result += character + String(decoding: parts[1], as: UTF8.self)
        }
        return result
    }

    private func error(_ reason: String) -> Malformed {
        let next = String(decoding: rest.prefix(60), as: UTF8.self)
        return Malformed(description: "\(reason), in \(open.map(\.name).joined(separator: " ")), before: \(next)")
    }
}
