import KinfolkModel

/// A record that satisfies a query.
struct QueryFound {
    let row: RecordRow
    let place: RecordPlace
    let number: Int64
}
