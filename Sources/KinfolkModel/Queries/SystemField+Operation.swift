extension SystemField {
    /// The operation with its values as the field has them.
    ///
    /// - Throws: ``QueryFault`` if the field cannot be compared in this way.
    func operation(_ operation: QueryPredicate.Operation) throws(QueryFault) -> QueryPredicate.Operation {
        switch (self, operation) {
        case (.changeTag, _): throw QueryFault("change tags cannot be queried.")
        case (_, .equal(nil)), (_, .notEqual(nil)): throw QueryFault("this field is not compared with NULL.")
        case (.createTime, .contains), (.createTime, .beginsWith), (.modificationTime, .contains),
            (.modificationTime, .beginsWith):
            throw QueryFault("a time is compared with =, !=, <, <=, >, >=, BETWEEN and IN.")
        case (.createTime, _), (.modificationTime, _), (_, .equal), (_, .notEqual), (_, .isIn): break
        default: throw QueryFault("names and user record IDs are compared with =, != and IN.")
        }
        return try operation.mapping { value throws(QueryFault) in try self.value(value) }
    }

    private func value(_ value: FieldValue) throws(QueryFault) -> FieldValue {
        switch (self, value) {
        case (.createTime, .date), (.modificationTime, .date): return value
        case (.createTime, _), (.modificationTime, _):
            throw QueryFault("a time is compared with dates: give them as arguments.")
        case (.createdBy, _), (.modifiedBy, _):
            guard let user = SystemField.reference(value), user.user != nil else {
                throw QueryFault("this field is compared with user record IDs, as references or texts.")
            }
            return .reference(user)
        default:
            guard let record = SystemField.reference(value) else {
                throw QueryFault("the name of a record is compared with names, as references or texts.")
            }
            return .reference(record)
        }
    }

    private static func reference(_ value: FieldValue) -> Reference? {
        switch value {
        case .reference(let reference): reference
        case .string(let name): try? Reference(named: name, zone: nil, action: .none)
        default: nil
        }
    }
}
