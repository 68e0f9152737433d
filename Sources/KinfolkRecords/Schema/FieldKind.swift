package import KinfolkModel

/// What a field of the schema holds.
package enum FieldKind: Sendable, Hashable {
    case value(FieldType)
    /// An asset. This version keeps the declaration of such a field, but no values.
    case asset
    case assetList

    /// The number in the table of fields.
    package var rawValue: Int64 {
        switch self {
        case .value(let type): Int64(type.rawValue)
        case .asset: 9
        case .assetList: 25
        }
    }

    package init?(rawValue: Int64) {
        switch rawValue {
        case 9: self = .asset
        case 25: self = .assetList
        default:
            guard let type = UInt8(exactly: rawValue).flatMap(FieldType.init(rawValue:)) else { return nil }
            self = .value(type)
        }
    }

    package var isList: Bool { rawValue > 16 }

    /// What a list of these holds one by one.
    package var element: FieldKind { isList ? FieldKind(rawValue: rawValue - 16) ?? self : self }

    /// A list of these; nil if they are lists.
    package var list: FieldKind? { isList ? nil : FieldKind(rawValue: rawValue + 16) }
}

extension FieldKind: CustomStringConvertible {
    /// The name of the type, as `FieldType` has it.
    package var description: String {
        switch self {
        case .value(let type): "\(type)"
        case .asset: "asset"
        case .assetList: "assetList"
        }
    }
}
