/// The header of a file in a tar archive (POSIX.1-1988, ustar), with a header of POSIX.1-2001 (pax) before it if the size needs more than
/// 11 octal digits.
struct TarHeader {
    /// Files and headers take whole blocks.
    static let blockLength = 512
    private static let largestOctal = 0o77_777_777_777

    /// At most 100 ASCII characters.
    let name: String
    let size: Int

    var bytes: [UInt8] {
        guard size > TarHeader.largestOctal else { return TarHeader.block(name, size, kind: "0") }
        // The length of a record counts its own digits: none of these has fewer or more than two.
        let record = " size=\(size)\n"
        let text = Array("\(record.utf8.count + 2)\(record)".utf8)
        return TarHeader.block("pax/\(name)", text.count, kind: "x") + text + TarHeader.padding(of: text.count)
            + TarHeader.block(name, 0, kind: "0")
    }

    /// The zeros after a content of this size.
    static func padding(of size: Int) -> [UInt8] {
        [UInt8](repeating: 0, count: (blockLength - size % blockLength) % blockLength)
    }

    /// The end of an archive.
    static var end: [UInt8] { [UInt8](repeating: 0, count: 2 * blockLength) }

    private static func block(_ name: String, _ size: Int, kind: Character) -> [UInt8] {
        var block = [UInt8](repeating: 0, count: blockLength)
        func put(_ text: String, at start: Int, _ length: Int) {
            for (offset, byte) in text.utf8.prefix(length).enumerated() { block[start + offset] = byte }
        }
        func octal(_ number: Int, _ digits: Int) -> String {
            let text = String(number, radix: 8)
            return String(repeating: "0", count: max(0, digits - text.count)) + text
        }
        put(name, at: 0, 100)
        // Only the owner may read the files.
        put("0000600", at: 100, 8)
        put("0000000", at: 108, 8)
        put("0000000", at: 116, 8)
        put(octal(size, 11), at: 124, 12)
        put(octal(0, 11), at: 136, 12)
        put("        ", at: 148, 8)
        put(String(kind), at: 156, 1)
        put("ustar", at: 257, 6)
        put("00", at: 263, 2)
        put(octal(block.reduce(0) { $0 + Int($1) }, 6) + "\0 ", at: 148, 8)
        return block
    }
}
