import KinfolkModel
import KinfolkStorage

/// Changes the record numbers of words, in one scope and one transaction.
struct PostingWriting {
    /// How many words are changed together. The rows of so many are in memory.
    private static let pageSize = 1_000

    /// Positions of records that got a word and of records that lost it, in ascending order.
    struct Change {
        let tree: PostingAddress.Tree
        let added: [Int64]
        let removed: [Int64]
    }

    private let scope: IndexScope
    private let db: Connection

    init(in scope: IndexScope, _ db: Connection) {
        self.scope = scope
        self.db = db
    }

    /// Makes changes of different trees.
    func run(_ changes: [Change]) throws {
        // In the order of the table: neighbours are on the same page, and writers on a server wait for each other only in one direction.
        let tags = scope.tags[0]
        let sorted = changes.map { change in
            let root = PostingAddress(tree: change.tree, block: PostingAddress.root)
            return (tag: tags.posting(root, zone: scope.key.zone), change: change)
        }.sorted { $0.tag < $1.tag }
        var rest = sorted.map(\.change)[...]
        while !rest.isEmpty {
            let page = rest.prefix(PostingWriting.pageSize)
            rest = rest.dropFirst(page.count)
            do {
                try PostingTable.run(writes(for: page), in: scope, db)
            } catch let error where KinfolkError(error).code == .storeCorrupt {
                try runOneByOne(page)
            }
        }
    }

    /// Makes changes that do not depend on damaged rows. A record that loses a word can be saved and deleted even if the rows of the
    /// word are damaged.
    private func runOneByOne(_ changes: ArraySlice<Change>) throws {
        for change in changes {
            do {
                try PostingTable.run(writes(for: [change]), in: scope, db)
            } catch let error where KinfolkError(error).code == .storeCorrupt {
                guard change.added.isEmpty else { throw error }
            }
        }
    }

    /// Reads what the changes need, and finds what they write. A server answers in two round trips, and in another one for each block
    /// that is joined with its neighbour.
    private func writes(for changes: ArraySlice<Change>) throws -> [PostingTable.Write] {
        var stored: [PostingAddress: PostingTable.Stored] = [:]
        func read(_ addresses: [PostingAddress]) throws {
            let rows = try PostingTable.rows(addresses, in: scope, db)
            for (address, row) in zip(addresses, rows) { stored[address] = row }
        }
        try read(changes.map { PostingAddress(tree: $0.tree, block: PostingAddress.root) })
        var trees: [(name: PostingAddress.Tree, tree: PostingTree)] = []
        for change in changes {
            let root = try stored[PostingAddress(tree: change.tree, block: PostingAddress.root)]?.row.root
            var tree = PostingTree(change.tree, root)
            tree.note(added: change.added, removed: change.removed)
            trees.append((change.tree, tree))
        }
        try read(trees.flatMap { name, tree in tree.neededBlocks.map { PostingAddress(tree: name, block: $0) } })
        var writes: [PostingTable.Write] = []
        for (name, var tree) in trees {
            try tree.settle { number in
                let address = PostingAddress(tree: name, block: number)
                if stored[address] == nil { try read([address]) }
                guard let row = stored[address] else { throw PostingRow.damage }
                return try row.row.positions
            }
            writes += tree.changes.map { change in
                PostingTable.Write(
                    tag: stored[change.address]?.tag,
                    address: change.address,
                    content: change.content
                )
            }
        }
        return writes
    }
}
