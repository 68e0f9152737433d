/// The files of a tar archive, by their names.
struct ArchivedFiles {
    private static let block = 512

    private(set) var contents: [String: [UInt8]] = [:]

    /// Nil if the archive is malformed, or has two files of one name.
    init?(_ archive: [UInt8]) {
        var rest = archive[...]
        while let header = ArchivedFiles.take(ArchivedFiles.block, from: &rest), header.contains(where: { $0 != 0 }) {
            let name = String(decoding: header.prefix { $0 != 0 }, as: UTF8.self)
            let digits = header.dropFirst(124).prefix { (UInt8(ascii: "0")...UInt8(ascii: "7")).contains($0) }
            guard let size = Int(String(decoding: digits, as: UTF8.self), radix: 8),
                let content = ArchivedFiles.take(size, from: &rest),
                ArchivedFiles.take(
                    (ArchivedFiles.block - size % ArchivedFiles.block) % ArchivedFiles.block,
                    from: &rest
                ) != nil,
                contents.updateValue(Array(content), forKey: name) == nil
            else { return nil }
        }
        guard rest.allSatisfy({ $0 == 0 }) else { return nil }
    }

    private static func take(_ count: Int, from bytes: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard bytes.count >= count else { return nil }
        defer { bytes = bytes.dropFirst(count) }
        return bytes.prefix(count)
    }
}
