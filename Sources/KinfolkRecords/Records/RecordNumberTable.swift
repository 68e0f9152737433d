import KinfolkModel
import KinfolkStorage

/// The table of the next number of a record.
enum RecordNumberTable {
    /// Takes `count` numbers that no record has had.
    static func take(_ count: Int, _ db: Connection) throws -> Range<Int64> {
        let next = try db.first(
            """
            INSERT INTO record_numbers (name, next) VALUES ('records', 1 + $1)
            ON CONFLICT (name) DO UPDATE SET next = record_numbers.next + $1
            WHERE record_numbers.next BETWEEN 1 AND $2
            RETURNING next
            """,
            .integer(Int64(count)),
            .integer(Int64.max - Int64(count))
        ) { $0.integer(0) }
        guard let next else { throw KinfolkError.damaged("The next number of a record is not valid.") }
        return next - Int64(count)..<next
    }
}
