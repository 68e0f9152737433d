import KinfolkModel

/// A record that satisfies a query, with its place in the order.
struct QueryFound {
    let row: RecordRow
    let place: RecordPlace
    let position: QueryPosition
}
