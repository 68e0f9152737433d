import KinfolkModel

/// The name of the file of a conflict in an export: `list (conflict 1 of tablet).txt`.
struct ConflictName {
    private let document: Document
    private let conflict: DocumentVersion
    private let number: Int

    /// - Parameter number: The place of the conflict in the document, from 1.
    init(_ document: Document, _ conflict: DocumentVersion, _ number: Int) {
        (self.document, self.conflict, self.number) = (document, conflict, number)
    }

    /// The names to try. The second one, with the ID of the version, is for the case that a document has the first one.
    var candidates: [String] {
        let device = conflict.device.map { " of \(ConflictName.safe($0))" } ?? ""
        return [name(" (conflict \(number)\(device))"), name(" (conflict \(number), \(conflict.id))")]
    }

    /// The name of the document with the suffix before its extension.
    private func name(_ suffix: String) -> String {
        let bytes = Array(document.name.utf8)
        // The dot of a hidden file does not begin an extension.
        let dot = bytes.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 > 0 ? $0 : nil } ?? bytes.count
        let room = DocumentPath.maximumNameLength - suffix.utf8.count
        let ending = bytes.count - dot <= ConflictName.longestExtension ? Array(bytes[dot...]) : []
        let stem = ConflictName.prefix(of: ending.isEmpty ? bytes : Array(bytes[..<dot]), room - ending.count)
        return stem + suffix + String(decoding: ending, as: UTF8.self)
    }

    private static let longestExtension = 32
    private static let longestDevice = 64

    /// The name of a device, which may be any text, as a part of a name.
    private static func safe(_ device: String) -> String {
        let scalars = device.unicodeScalars.map { scalar -> Character in
            let isControl = scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value)
            return isControl || scalar == "/" ? "_" : Character(scalar)
        }
        return prefix(of: Array(String(scalars).utf8), longestDevice)
    }

    /// The longest beginning of a text that has at most so many bytes.
    private static func prefix(of text: [UInt8], _ count: Int) -> String {
        guard text.count > count else { return String(decoding: text, as: UTF8.self) }
        var end = max(0, count)
        // Not in the middle of a character.
        while end > 0, text[end] & 0xc0 == 0x80 { end -= 1 }
        return String(decoding: text[..<end], as: UTF8.self)
    }
}
