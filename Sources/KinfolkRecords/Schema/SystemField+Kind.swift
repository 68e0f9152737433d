package import KinfolkModel

extension SystemField {
    package var kind: FieldKind {
        switch self {
        case .createTime, .modificationTime: .value(.date)
        case .createdBy, .modifiedBy, .recordID: .value(.reference)
        case .changeTag: .value(.string)
        }
    }
}
