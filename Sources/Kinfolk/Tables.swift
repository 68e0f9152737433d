import KinfolkAccess
import KinfolkAccounts
import KinfolkCore
import KinfolkDiscovery
import KinfolkRecords
import KinfolkStorage
import KinfolkSubscriptions

/// All tables of a store.
enum Tables {
    /// Their declarations. An owner comes before what belongs to it.
    static let all: [Table] =
        Table.ofCore + Table.ofAccounts + Table.ofDiscovery + Table.ofRecords + Table.ofSubscriptions
        + Table.ofAccess

    /// The tables that ``Schema`` creates, in the order of their creation, with their declarations.
    static func described() throws -> [(table: Table, description: TableDescription)] {
        try Schema.migrations.tables().map { description in
            guard let table = all.first(where: { $0.name == description.name }) else { throw StorageError(.misuse) }
            return (table, description)
        }
    }
}
