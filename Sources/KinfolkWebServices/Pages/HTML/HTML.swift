/// Writes HTML.
///
/// Texts and values of attributes are escaped. Names of elements and attributes, and what ``constant(_:)`` writes, are constants of
/// this source code. So nothing that comes from outside can become markup.
///
/// ```swift
/// var html = HTML()
/// html.start("p", ["class": "hint"])
/// html.text("1 < 2")
/// html.end("p")  // <p class="hint">1 &lt; 2</p>
/// ```
struct HTML {
    /// Values by name, in their order. An attribute without a value (nil) is left out.
    typealias Attributes = KeyValuePairs<StaticString, String?>

    private(set) var bytes: [UInt8] = []

    /// Writes the first tag of an element. The only one if the element has no content, such as `input`.
    ///
    /// A link to a URL that is not safe (``PageURL/isSafe(_:)``) is left out.
    mutating func start(_ name: StaticString, _ attributes: Attributes = [:]) {
        bytes.append(UInt8(ascii: "<"))
        constant(name)
        for (name, value) in attributes {
            guard let value, !name.isLink || PageURL.isSafe(value) else { continue }
            bytes.append(UInt8(ascii: " "))
            constant(name)
            bytes += "=\"".utf8
            escape(value)
            bytes.append(UInt8(ascii: "\""))
        }
        bytes.append(UInt8(ascii: ">"))
    }

    /// Writes the last tag of an element.
    mutating func end(_ name: StaticString) {
        bytes += "</".utf8
        constant(name)
        bytes.append(UInt8(ascii: ">"))
    }

    /// Writes a text.
    mutating func text(_ text: String) { escape(text) }

    /// Writes a part of this source code as it is.
    mutating func constant(_ text: StaticString) { text.withUTF8Buffer { bytes += $0 } }

    /// Escapes a text for both places: between tags, and in a value with double quotes. What HTML forbids becomes U+FFFD.
    private mutating func escape(_ text: String) {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": bytes += "&amp;".utf8
            case "<": bytes += "&lt;".utf8
            case ">": bytes += "&gt;".utf8
            case "\"": bytes += "&quot;".utf8
            case "'": bytes += "&#39;".utf8
            // A parser would turn it into a line feed.
            case "\r": bytes += "&#13;".utf8
            case "\t", "\n": bytes += UTF8.encode(scalar).map(Array.init) ?? []
            default: bytes += UTF8.encode(scalar.isForbiddenInHTML ? "\u{FFFD}" : scalar).map(Array.init) ?? []
            }
        }
    }
}

extension StaticString {
    /// Whether the value of an attribute with this name is a URL.
    fileprivate var isLink: Bool {
        withUTF8Buffer { $0.elementsEqual("href".utf8) || $0.elementsEqual("action".utf8) }
    }
}

extension Unicode.Scalar {
    /// Controls and noncharacters (HTML Standard, 13.2.3.5).
    fileprivate var isForbiddenInHTML: Bool {
        properties.generalCategory == .control || properties.isNoncharacterCodePoint
    }
}
