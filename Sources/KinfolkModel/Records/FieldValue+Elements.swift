extension FieldValue {
    /// The elements of a list, in their order; nil if it is none.
    package var elements: [FieldValue]? {
        switch self {
        case .string, .int64, .double, .boolean, .bytes, .date, .location, .reference, .asset: nil
        case .stringList(let values): values.map(FieldValue.string)
        case .int64List(let values): values.map(FieldValue.int64)
        case .doubleList(let values): values.map(FieldValue.double)
        case .booleanList(let values): values.map(FieldValue.boolean)
        case .bytesList(let values): values.map(FieldValue.bytes)
        case .dateList(let values): values.map(FieldValue.date)
        case .locationList(let values): values.map(FieldValue.location)
        case .referenceList(let values): values.map(FieldValue.reference)
        case .assetList(let values): values.map(FieldValue.asset)
        }
    }
}
