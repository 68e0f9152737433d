/// What came of the operations of a batch, in their order: for each the saved record (nil for a deletion), or its error.
///
/// ```swift
/// let results = try database.run([.create(note), .delete(old.id, changeTag: old.changeTag)])
/// for case .failure(let error) in results { print(error) }
/// for record in results.deleted { cache[record.id] = nil }
/// ```
public struct BatchResults: RandomAccessCollection, Sendable {
    private let results: [Result<Record?, KinfolkError>]

    /// All records that the batch deleted and the session may read: those of its deletions, and those that referred to one of them with
    /// the action `deleteSelf`.
    public let deleted: [DeletedRecord]

    package init(_ results: [Result<Record?, KinfolkError>], deleted: [DeletedRecord] = []) {
        self.results = results
        self.deleted = deleted
    }

    /// 0.
    public var startIndex: Int { results.startIndex }

    /// The number of operations.
    public var endIndex: Int { results.endIndex }

    /// What came of one operation.
    public subscript(position: Int) -> Result<Record?, KinfolkError> { results[position] }
}
