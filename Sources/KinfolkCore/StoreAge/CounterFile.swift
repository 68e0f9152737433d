import Glibc
import KinfolkCrypto
package import KinfolkFiles
import KinfolkModel
import KinfolkStorage
package import KinfolkThreads

/// The file next to the key file that holds the change counters of stores: `kinfolk.key.counter`. Each store that uses the key
/// file has a line: its incarnation, its count, and an authentication code under the store's keys.
package enum CounterFile {
    /// How many lines are kept; the newest remain.
    private static let maximumLines = 1_000
    private static let maximumLength = 256 * 1_024

    private static let suffix = ".counter"

    package static func path(ofKey path: FilePath) -> FilePath { KeyFile.followed(path) + suffix }

    /// A line. The lines of other stores cannot be verified with the keys of this store, and are left unchanged.
    package struct Line {
        package let counter: StoreCounter
        package let code: [UInt8]

        package init(_ counter: StoreCounter, _ keys: KeyRing) {
            self.counter = counter
            code = keys.authenticationCode(of: counter.message(for: "counter_file")).bytes
        }

        package init?(_ text: some StringProtocol) {
            let words = text.split(separator: " ", omittingEmptySubsequences: false)
            guard words.count == 3, let incarnation = RandomID(hex: words[0]), let count = Int64(words[1]),
                let code = Hexadecimal.bytes(words[2].utf8)
            else { return nil }
            counter = StoreCounter(incarnation: incarnation, count: count)
            self.code = code
        }

        package func isAuthentic(with keys: KeyRing) -> Bool {
            keys.isAuthentic(code, of: counter.message(for: "counter_file"))
        }

        /// Whether the line proves that a store with this counter is an older state.
        package func isAhead(of other: StoreCounter, _ keys: KeyRing) -> Bool {
            counter.incarnation == other.incarnation && counter.count > other.count && isAuthentic(with: keys)
        }

        package var text: String { "\(counter.incarnation.hex) \(counter.count) \(Hexadecimal.text(code))\n" }
    }

    /// The lines of the file; none if there is no file that this process can read.
    package static func lines(_ path: FilePath) -> [Line] {
        guard let file = try? FilesInUse.open(path, O_NONBLOCK, as: .counter) else { return [] }
        defer { close(file) }
        var content: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 16 * 1_024)
        while content.count < maximumLength {
            let count = part.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
            guard count > 0 else { break }
            content += part[..<count]
        }
        return String(decoding: content, as: UTF8.self).split(separator: "\n").compactMap { Line($0) }
    }

    /// Stores a count, unless the file has a count of the same store that is at least as high.
    ///
    /// - Parameter deadline: How long to wait for other processes that use the file; nil for the usual limit.
    package static func note(
        _ counter: StoreCounter,
        _ keys: KeyRing,
        at path: FilePath,
        until deadline: Deadline? = nil
    ) throws {
        try KeyFile.alone(inFolderOf: path, until: deadline) {
            var lines = lines(path)
            if let known = lines.first(where: { $0.counter.incarnation == counter.incarnation }) {
                if known.counter.count >= counter.count && known.isAuthentic(with: keys) { return }
                lines.removeAll { $0.counter.incarnation == counter.incarnation }
            }
            lines.append(Line(counter, keys))
            try replace(path, by: lines.suffix(maximumLines).map(\.text).joined())
        }
    }

    private static func replace(_ path: FilePath, by text: String) throws {
        try Store.making { () throws(FileFailure) in
            // Like the key file beside it, if there is no counter file yet.
            let draft = try FileDraft(of: path, as: .counter, like: path.dropLast(suffix.utf8.count).name)
            try draft.write(Array(text.utf8))
            try draft.replace()
        }
    }
}
