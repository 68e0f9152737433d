import KinfolkCrypto
import KinfolkModel
import KinfolkStorage

/// A row of a table under check, with access to its columns by name.
struct CheckedRow {
    let row: any Statement
    private let columns: [String: Int32]

    init(_ row: any Statement, _ columns: [String: Int32]) {
        self.row = row
        self.columns = columns
    }

    static func columns(of table: TableDescription) -> [String: Int32] {
        Dictionary(table.columns.enumerated().map { ($1.name, Int32($0)) }) { first, _ in first }
    }

    private func place(of name: String) throws -> Int32 {
        guard let place = columns[name] else { throw StorageError(.misuse) }
        return place
    }

    func isNull(_ name: String) throws -> Bool { row.isNull(try place(of: name)) }
    func integer(_ name: String) throws -> Int64 { row.integer(try place(of: name)) }
    func bytes(_ name: String) throws -> [UInt8] { row.bytes(try place(of: name)) }
    func text(_ name: String) throws -> String { row.text(try place(of: name)) }

    func tag(_ name: String) throws -> Tag {
        guard let tag = row.withBytes(try place(of: name), Tag.init) else { throw StorageError(.corrupt) }
        return tag
    }

    func changeTag(_ name: String) throws -> ChangeTag {
        guard let tag = row.withBytes(try place(of: name), ChangeTag.init) else { throw StorageError(.corrupt) }
        return tag
    }

    func id(_ name: String) throws -> RandomID {
        guard let id = row.withBytes(try place(of: name), RandomID.init(bytes:)) else { throw StorageError(.corrupt) }
        return id
    }
}
