package import KinfolkModel

extension SystemField {
    package var kind: FieldType {
        switch self {
        case .createTime, .modificationTime: .date
        case .createdBy, .modifiedBy, .recordID: .reference
        case .changeTag: .string
        }
    }
}
