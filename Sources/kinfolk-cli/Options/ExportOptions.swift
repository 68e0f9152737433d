import ArgumentParser
import Kinfolk
import KinfolkFiles
import KinfolkJSON
import KinfolkStorage

/// The form of an export: a JSON text, or an archive with the files of the records.
struct ExportOptions: ParsableArguments {
    /// For the help pages of exports.
    static let manual = """
        With --archive, the answer is a tar archive: export.json has the same JSON, and the folder assets has the files of the \
        records, under the names that the JSON gives. The archive appears when it is complete; a file with its name is replaced. \
        Only its owner may read it.
        """

    @Option(
        help: ArgumentHelp("Write an archive with all files to this file; - for standard output.", valueName: "file"),
        completion: .file(extensions: ["tar"])
    )
    var archive: FilePath?

    /// Writes the export.
    ///
    /// - Parameters:
    ///   - json: Makes the JSON text.
    ///   - pieces: Calls its argument with each piece of the archive.
    func run(
        _ options: StoreOptions,
        json: () throws(KinfolkError) -> String,
        pieces: (_ write: ([UInt8]) throws(KinfolkError) -> Void) throws(KinfolkError) -> Void
    ) throws {
        guard let archive else { return try Streams.write(json(), to: 1) }
        let output = try ByteOutput(archive, mode: 0o600)
        let count = try output.write { () throws(KinfolkError) in try write(pieces, to: output) }
        guard !archive.isStandardOutput else { return }
        try options.show(
            Answer(
                ["archive": .path(archive), "bytes": .count(count)],
                line: "Wrote \(count.counted("byte", "bytes")) to \(archive.shown)."
            )
        )
    }

    private func write(
        _ pieces: (_ write: ([UInt8]) throws(KinfolkError) -> Void) throws(KinfolkError) -> Void,
        to output: ByteOutput
    ) throws(KinfolkError) -> Int {
        var bar = output.bar("Exporting")
        defer { bar?.clear() }
        var count = 0
        try pieces { (piece) throws(KinfolkError) in
            let result = piece.withUnsafeBytes { piece in
                Result { () throws(KinfolkError) in try output.write(piece) }
            }
            try result.get()
            count += piece.count
            try bar?.show(share: nil, count / 1_000_000, "MB", orStop: output.stopped("The export"))
        }
        return count
    }
}
