/// The position of a row among those of a container, in the order of owners.
struct RowPosition: Sendable {
    static let start = RowPosition(owner: [], number: -1)

    let owner: [UInt8]
    let number: Int64
}
