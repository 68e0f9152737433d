import KinfolkFiles
import KinfolkStorage

/// Carries bytes that are not UTF-8 as text: the parser of the command line takes texts, but a path may be any bytes.
///
/// Each half of such a byte becomes one of the noncharacters U+FDD0 to U+FDDF, which Unicode reserves for internal use. An argument
/// that contains one of these is carried too, so the mapping is reversible.
enum CarriedBytes {
    private static let first: UInt32 = 0xFDD0

    /// The arguments of this process, without the name of the program. `CommandLine.arguments` replaces what is not UTF-8.
    static var arguments: [String] {
        (1..<max(1, Int(CommandLine.argc))).compactMap { CommandLine.unsafeArgv[$0].map { text(carrying: $0) } }
    }

    /// The text that carries the bytes.
    static func text(carrying argument: UnsafePointer<CChar>) -> String {
        if let text = String(validatingCString: argument), !areIn(text) { return text }
        var text = String.UnicodeScalarView()
        let bytes = FilePath(cString: argument).bytes
        var rest = bytes.makeIterator()
        var parser = Unicode.UTF8.ForwardParser()
        var position = 0
        while true {
            switch parser.parseScalar(from: &rest) {
            case .emptyInput: return String(text)
            case .valid(let encoded) where half(Unicode.UTF8.decode(encoded)) == nil:
                text.append(Unicode.UTF8.decode(encoded))
                position += encoded.count
            case .valid(let encoded):
                append(bytes[position..<position + encoded.count], to: &text)
                position += encoded.count
            case .error(let length):
                append(bytes[position..<position + length], to: &text)
                position += length
            }
        }
    }

    static func areIn(_ text: String) -> Bool { text.unicodeScalars.contains { half($0) != nil } }

    /// The argument's own bytes.
    static func path(_ text: String) -> FilePath {
        var bytes: [UInt8] = []
        var high: UInt8?
        for scalar in text.unicodeScalars {
            guard let half = half(scalar) else {
                bytes += Array(String(scalar).utf8)
                continue
            }
            guard let known = high else {
                high = half << 4
                continue
            }
            bytes.append(known | half)
            high = nil
        }
        return FilePath(bytes: bytes)
    }

    /// The text for a message, with each carried byte as `\xE9`.
    static func shown(_ text: String) -> String {
        var shown = String.UnicodeScalarView()
        var isHigh = true
        for scalar in text.unicodeScalars {
            if let half = half(scalar) {
                shown += Array(((isHigh ? "\\x" : "") + String(half, radix: 16, uppercase: true)).unicodeScalars)
                isHigh.toggle()
            } else {
                shown.append(scalar)
            }
        }
        return String(shown)
    }

    /// Whether a parsed command holds carried bytes anywhere except in a path. It inspects all properties of the command, so that no
    /// option can be forgotten.
    static func areHeldAsText(by value: Any) -> Bool {
        switch value {
        case is FilePath, is FieldAssignment: false
        case let text as String: areIn(text)
        default: Mirror(reflecting: value).children.contains { areHeldAsText(by: $0.value) }
        }
    }

    private static func append(_ bytes: some Sequence<UInt8>, to text: inout String.UnicodeScalarView) {
        for byte in bytes {
            for half in [byte >> 4, byte & 15] {
                if let scalar = Unicode.Scalar(first + UInt32(half)) { text.append(scalar) }
            }
        }
    }

    private static func half(_ scalar: Unicode.Scalar) -> UInt8? {
        (first..<first + 16).contains(scalar.value) ? UInt8(scalar.value - first) : nil
    }
}
