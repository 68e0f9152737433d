import ArgumentParser
import Kinfolk
import KinfolkFiles
import KinfolkJSON
import KinfolkStorage

struct AssetFetch: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fetch",
        abstract: "Write a file of a record to a file of the disk, or to standard output.",
        discussion: """
            The file on the disk appears when it is complete. If there is one with this name, it is replaced.

            --offset and --length write a part of the file. Only that part is read from the store. A part beyond the end is empty.

            EXAMPLES
              kinfolk asset fetch groceries photo copy.jpg \\
                --database private \\
                --container com.example.notes --account ada@example.com
              kinfolk asset fetch groceries photo --length 4 \\
                --database private \\
                --container com.example.notes --account ada@example.com | xxd
            """
    )

    @OptionGroup var field: AssetFieldOptions

    @Argument(
        help: ArgumentHelp("The file to write; - or no file for standard output.", valueName: "file"),
        completion: .file()
    )
    var file: FilePath?

    @Option(help: ArgumentHelp("Begin at this byte of the file. The first is 0.", valueName: "n"))
    var offset = 0

    @Option(help: ArgumentHelp("Write at most this many bytes.", valueName: "n"))
    var length: Int?

    @Option(help: ArgumentHelp("Which file of a list. The first is 0.", valueName: "n"))
    var index: Int?

    @OptionGroup var database: DatabaseOptions
    @OptionGroup var options: StoreOptions

    func validate() throws {
        guard offset >= 0, length ?? 0 >= 0, index ?? 0 >= 0 else {
            throw ValidationError("--offset, --length and --index are not negative.")
        }
        guard file != nil || !Terminal.output.isTerminal else {
            throw ValidationError("Standard output is a terminal: name a file, or give - to write to the terminal.")
        }
    }

    func run() throws {
        let id = try database.recordID(field.record)
        let database = try database.database(in: options.open())
        let asset = try asset(of: field.value(id, in: database))
        let reader: AssetReader
        do { reader = try database.reader(of: asset) } catch { throw advised(error) }
        let output = try ByteOutput(file, mode: 0o666)
        let size = max(0, asset.size - offset)
        let part = offset..<offset + min(length ?? size, size)
        let count = try output.write { () throws(KinfolkError) in
            do throws(KinfolkError) { return try output.write(part, of: reader, "Fetching") } catch {
                throw advised(error)
            }
        }
        guard let file, !file.isStandardOutput else { return }
        try options.show(
            Answer(
                [
                    "file": .path(file),
                    "bytes": .count(count),
                    "size": .count(asset.size),
                    "sha256": .string(Hexadecimal.text(asset.sha256)),
                ],
                line: "Wrote \(count.counted("byte", "bytes")) to \(file.shown)."
            )
        )
    }

    private func asset(of value: AssetFieldOptions.Value) throws(KinfolkError) -> Asset {
        guard value.isList || index == nil else {
            throw KinfolkError(.invalidArgument, "The field \(field.field) is not a list: --index does not fit it.")
        }
        guard let index = value.isList ? index : 0 else {
            throw KinfolkError(
                .invalidArgument,
                "The field \(field.field) is a list of \(value.assets.count.counted("file", "files")): "
                    + "give the --index of one."
            )
        }
        guard value.assets.indices.contains(index) else { throw field.noFile(at: index, of: value.assets) }
        return value.assets[index]
    }

    private func advised(_ error: KinfolkError) -> KinfolkError {
        guard error.code == .assetNotAvailable else { return error }
        return error.advising("If the record has another file now, run this again.")
    }
}
