import Kinfolk

extension Record {
    /// Sets the assigned fields. An assignment without a type keeps the type that the field has.
    mutating func set(_ assignments: [FieldAssignment]) throws(KinfolkError) {
        for assignment in assignments {
            try set(assignment.name, to: assignment.value(replacing: self[assignment.name]).placed(in: id.zone))
        }
    }

    /// The ID of a record of the same zone.
    func neighbour(_ name: String) throws(KinfolkError) -> RecordID {
        try Reference(named: name, zone: nil, action: .none).placed(in: id.zone).target
    }
}
