package import KinfolkCore

extension Table {
    /// The condition, in SQL, for the rows that have an owner. Those of a public database have none.
    package var isOfSomebody: String { columns.contains { $0.name == "owner" } ? "length(owner) > 0" : "1 = 1" }
}
