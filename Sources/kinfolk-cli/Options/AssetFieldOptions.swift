import ArgumentParser
import Kinfolk

/// A field of a record that holds a file, or a list of files.
struct AssetFieldOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("The record's name.", valueName: "record-name"))
    var record: String

    @Argument(help: "The field's name.")
    var field: String

    /// The field of a record in the store.
    struct Value {
        let assets: [Asset]
        let isList: Bool
    }

    /// Reads the field.
    func value(_ id: RecordID, in database: Database) throws(KinfolkError) -> Value {
        let record = try database.fetch(id)
        switch record[field] {
        case .asset(let asset): return Value(assets: [asset], isList: false)
        case .assetList(let assets): return Value(assets: assets, isList: true)
        case nil: throw KinfolkError(.unknownItem, "The record has no field \(field).")
        case let other?: throw noFile(other)
        }
    }

    /// The error for a field of another type.
    func noFile(_ value: FieldValue) -> KinfolkError {
        KinfolkError(.invalidArgument, "The field \(field) holds no file: its type is \(value.type.name).")
    }

    /// The error for a number that no file of the list has.
    func noFile(at index: Int, of assets: [Asset]) -> KinfolkError {
        KinfolkError(
            .unknownItem,
            "The field \(field) has \(assets.count.counted("file", "files")), and so none with the index \(index). "
                + "The first has the index 0."
        )
    }
}
