import KinfolkModel

/// The content of a row of record numbers. It names the row, so that a key rotation finds its new tag without the records: a version
/// (one byte), the kind (one byte), the lane, the field, the block, and the word after its length. Zeros at the end fill it up to one of
/// a few sizes.
package struct PostingRow {
    enum Content {
        case root(PostingRoot)
        /// Positions of records, in order.
        case block([Int64])
    }

    private enum Kind {
        static let list: UInt8 = 0
        static let tree: UInt8 = 1
        static let block: UInt8 = 2
    }

    private static let version: UInt8 = 1

    package let address: PostingAddress
    let content: Content

    /// The content of a root.
    var root: PostingRoot {
        get throws {
            guard case .root(let root) = content else { throw PostingRow.damage }
            return root
        }
    }

    /// The content of a block.
    var positions: [Int64] {
        get throws {
            guard case .block(let positions) = content else { throw PostingRow.damage }
            return positions
        }
    }

    static var damage: KinfolkError { .damaged("A row of a SEARCHABLE index cannot be read.") }

    // MARK: Sizes

    /// The lengths that rows of SQLite with 4,096 bytes a page hold well: up to 896 bytes within a page, 4,096 with one more.
    private static let sizes = [32, 64, 128, 256, 512, 896, 2_048, 4_096]

    /// With the byte that ends a sealed value.
    private static func size(for length: Int) -> Int {
        if let size = sizes.first(where: { length < $0 }) { return size }
        var size = 8_192
        while size <= length { size *= 2 }
        return size
    }

    /// The most bytes of numbers in a root without blocks, and in a block.
    static func capacity(of word: Word, _ size: Int) -> Int { size - 1 - maximumHeader(of: word) }
    static let listSize = 896
    static let blockSize = 4_096

    private static func maximumHeader(of word: Word) -> Int { 24 + word.bytes.count }

    // MARK: Bytes

    var bytes: [UInt8] {
        var writer = PackedNumbers()
        writer.append(byte: PostingRow.version)
        switch content {
        case .root(let root): writer.append(byte: root.blocks.isEmpty ? Kind.list : Kind.tree)
        case .block: writer.append(byte: Kind.block)
        }
        writer.append(byte: address.tree.lane)
        writer.append(UInt64(bitPattern: address.tree.field))
        writer.append(UInt64(bitPattern: address.block))
        writer.append(byte: UInt8(truncatingIfNeeded: address.tree.word.bytes.count))
        writer.append(address.tree.word.bytes)
        switch content {
        case .root(let root): root.append(to: &writer)
        case .block(let positions): writer.append(ascending: positions)
        }
        let length = writer.bytes.count
        return writer.bytes + [UInt8](repeating: 0, count: PostingRow.size(for: length) - 1 - length)
    }

    init(_ address: PostingAddress, _ content: Content) {
        self.address = address
        self.content = content
    }

    init(_ bytes: [UInt8]) throws {
        self = try bytes.withUnsafeBytes { bytes in
            var reader = PackedNumbers.Reader(bytes)
            guard try reader.byte() == PostingRow.version else { throw PostingRow.damage }
            let kind = try reader.byte()
            let lane = try reader.byte()
            let (field, block) = (Int64(bitPattern: try reader.number()), Int64(bitPattern: try reader.number()))
            let length = try reader.byte()
            guard let word = Word(stored: Array(try reader.take(Int(length)))) else { throw PostingRow.damage }
            let tree = PostingAddress.Tree(field: field, word: word, lane: lane)
            let content: Content =
                switch kind {
                case Kind.list: .root(try PostingRoot(listIn: &reader))
                case Kind.tree: .root(try PostingRoot(treeIn: &reader))
                case Kind.block: .block(try reader.ascending())
                default: throw PostingRow.damage
                }
            guard (kind == Kind.block) == (block != PostingAddress.root) else { throw PostingRow.damage }
            return PostingRow(PostingAddress(tree: tree, block: block), content)
        }
    }
}
