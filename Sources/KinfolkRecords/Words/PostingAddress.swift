/// Which row of the record numbers of a word.
package struct PostingAddress: Hashable, Sendable {
    /// The records of one scope that have a word in one field, as far as their numbers are in one lane.
    package struct Tree: Hashable, Sendable {
        package let field: Int64
        package let word: Word
        package let lane: UInt8
    }

    /// The block of the row that a tree begins with.
    static let root: Int64 = 0

    package let tree: Tree
    /// Given once in a tree: 0 for the root.
    package let block: Int64
}

extension PostingAddress {
    /// The row with which the tree of a word begins.
    package init(rootOf word: Word, inField field: Int64, lane: UInt8) {
        self.init(tree: Tree(field: field, word: word, lane: lane), block: PostingAddress.root)
    }
}
