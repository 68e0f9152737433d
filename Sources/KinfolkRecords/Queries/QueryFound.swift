import KinfolkModel

/// A record that satisfies a query.
struct QueryFound {
    let row: RecordRow
    let number: Int64
    /// In which scope it was found.
    let reader: QueryReader
}
