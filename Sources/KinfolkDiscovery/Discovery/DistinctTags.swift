import KinfolkCrypto

/// The tags of a book, each once. A contact that is in a book several times is looked up once, so that nobody can multiply the
/// time of one contact until it becomes measurable.
struct DistinctTags {
    /// In the order of their first occurrence.
    private(set) var tags: [Tag] = []
    /// A hash table with linear probing: the position of a tag, or -1. Tags are keyed, so nobody can make them collide.
    private var positions: [Int32]

    /// - Parameter count: The maximum number of tags that will be added.
    init(atMost count: Int) {
        var size = 8
        while size < 2 * count { size *= 2 }
        positions = [Int32](repeating: -1, count: size)
        tags.reserveCapacity(count)
    }

    /// Adds a tag, and returns its position.
    mutating func insert(_ tag: Tag) -> Int {
        let mask = positions.count - 1
        var place = Int(truncatingIfNeeded: tag.words.0) & mask
        while positions[place] >= 0 {
            if tags[Int(positions[place])] == tag { return Int(positions[place]) }
            place = (place + 1) & mask
        }
        positions[place] = Int32(truncatingIfNeeded: tags.count)
        tags.append(tag)
        return tags.count - 1
    }
}
