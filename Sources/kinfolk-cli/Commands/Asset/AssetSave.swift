import ArgumentParser
import Kinfolk
import KinfolkFiles
import KinfolkJSON
import KinfolkStorage

struct AssetSave: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "save",
        abstract: "Store a file, and set a field of a record to it.",
        discussion: """
            The record must exist; with --type, a missing one is made. The other fields of the record stay as they are. The file \
            that the field had is deleted, unless another record has it too.

            If the field is a list, --append adds the file to its end, and --index replaces one of its files.

            The file is stored before the record is saved. If the record cannot be saved, the file is deleted after 24 hours, and \
            its bytes count until then.

            EXAMPLES
              kinfolk asset save groceries photo list.jpg \\
                --database private \\
                --container com.example.notes --account ada@example.com
              tar c letters | kinfolk asset save backup archive - \\
                --type Backup --database private \\
                --container com.example.notes --account ada@example.com
            """
    )

    /// How often a record is read and saved again that others save at the same time.
    private static let attempts = 20

    @OptionGroup var field: AssetFieldOptions

    @Argument(help: ArgumentHelp("The file; - for standard input.", valueName: "file"), completion: .file())
    var file: FilePath

    @Flag(help: "Add the file to the end of the list that the field has.")
    var append = false

    @Option(help: ArgumentHelp("Replace this file of a list. The first is 0.", valueName: "n"))
    var index: Int?

    @Option(help: ArgumentHelp("The record type, to make the record if it is missing.", valueName: "record-type"))
    var type: String?

    @Option(
        help: ArgumentHelp(
            "Save only if the record still has this change tag.",
            discussion: "\"record fetch\" shows it. Without it the command reads the record just before it saves.",
            valueName: "tag"
        )
    )
    var changeTag: String?

    @OptionGroup var database: DatabaseOptions
    @OptionGroup var options: StoreOptions

    func validate() throws {
        try options.key.validate(besides: file)
        guard !append || index == nil else { throw ValidationError("--append and --index exclude each other.") }
        guard index ?? 0 >= 0 else { throw ValidationError("--index is not negative.") }
    }

    func answer(from service: Service) throws -> Answer {
        let id = try database.recordID(field.record)
        let database = try database.database(in: service)
        // A mistake in the arguments is noticed before the file is stored.
        do { _ = try change(of: record(id, in: database)) } catch { throw advised(error) }
        // The file may have replaced another one. A file that was stored in part is deleted.
        defer { service.removeDeletedFiles() }
        let asset = try upload(to: database)
        let record = try save(asset, id, in: database)
        let source = file.isStandardInput ? "standard input" : file.shown
        return Answer(
            [
                "field": .string(field.field),
                "size": .count(asset.size),
                "sha256": .string(Hexadecimal.text(asset.sha256)),
                "record": RecordView(record).json,
            ],
            [
                .line(
                    "Saved \(source) in the field \(field.field) of \(field.record): "
                        + "\(asset.size.counted("byte", "bytes"))."
                ),
                .line("SHA-256 \(Hexadecimal.text(asset.sha256))"),
            ]
        )
    }

    // MARK: The file

    private func upload(to database: Database) throws(KinfolkError) -> Asset {
        do {
            let upload = try database.beginUpload(zone: self.database.zone)
            defer { upload.cancel() }
            try upload.addShowingProgress(file)
            return try upload.finish()
        } catch {
            throw advised(error).naming(file)
        }
    }

    private func advised(_ error: KinfolkError) -> KinfolkError {
        switch error.code {
        case .limitExceeded: error.advising("\"kinfolk container quota\" shows and changes the limit.")
        case .zoneNotFound: error.advising("\"kinfolk zone save\" makes it.")
        default: error
        }
    }

    // MARK: The record

    /// Saves the record with the file. If others save it at the same time, and no change tag is given, it is read and saved again.
    private func save(_ asset: Asset, _ id: RecordID, in database: Database) throws(KinfolkError) -> Record {
        var attempt = 1
        while true {
            do {
                var record = try record(id, in: database)
                let value = try change(of: record)(asset)
                try record.set(field.field, to: value)
                return try database.save(record)
            } catch {
                if error.code == .serverRecordChanged, changeTag == nil, attempt < AssetSave.attempts {
                    attempt += 1
                } else {
                    throw unsaved(error)
                }
            }
        }
    }

    private func unsaved(_ error: KinfolkError) -> KinfolkError {
        let error =
            switch error.code {
            case .serverRecordChanged:
                error.advising("\"kinfolk record fetch\" shows the record as it is, with its change tag.")
            case .invalidArgument where error.reason.hasPrefix("The schema has no "):
                error.advising("\"kinfolk schema add-field\" adds it.")
            default: error
            }
        return error.advising("No record has the file that was stored: it is deleted after 24 hours.")
    }

    /// The record as it is, or a new one.
    private func record(_ id: RecordID, in database: Database) throws(KinfolkError) -> Record {
        let present: Record
        do { present = try database.fetch(id) } catch {
            guard error.code == .unknownItem else { throw error }
            guard let type else {
                throw KinfolkError(
                    .unknownItem,
                    "There is no such record in this database. To make it, give --type."
                )
            }
            let record = try Record(type: type, id: id)
            guard let changeTag else { return record }
            return try record.holding(changeTag: changeTag, in: database)
        }
        guard type == nil || type == present.type else {
            throw KinfolkError(.invalidArgument, "The record in the store has another type: \(present.type).")
        }
        guard let changeTag else { return present }
        return try present.holding(changeTag: changeTag, in: database)
    }

    /// Makes the new value of the field from the asset. Throws if the field cannot have it.
    private func change(of record: Record) throws(KinfolkError) -> (Asset) -> FieldValue {
        try FieldName.validate(field.field)
        switch record[field.field] {
        case nil:
            if let index { throw field.noFile(at: index, of: []) }
            return append ? { .assetList([$0]) } : { .asset($0) }
        case .asset:
            guard !append, index == nil else {
                throw KinfolkError(
                    .invalidArgument,
                    "The field \(field.field) is not a list: --append and --index do not fit it."
                )
            }
            return { .asset($0) }
        case .assetList(let assets):
            if append { return { .assetList(assets + [$0]) } }
            guard let index else {
                throw KinfolkError(
                    .invalidArgument,
                    "The field \(field.field) is a list: give --append to add a file, or --index to replace one."
                )
            }
            guard assets.indices.contains(index) else { throw field.noFile(at: index, of: assets) }
            return { .assetList(assets[..<index] + [$0] + assets[(index + 1)...]) }
        case let other?: throw field.noFile(other)
        }
    }
}
