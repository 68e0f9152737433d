import KinfolkCore
import KinfolkModel
import KinfolkRecords
import KinfolkStorage

/// Writes the archive of a person: the JSON text, and the files of the assets that are named in it.
struct ArchiveExport {
    let service: Service

    /// How many bytes of the JSON text are written at once.
    private static let pieceLength = 1 << 20

    /// - Parameters:
    ///   - write: Takes the pieces of the archive.
    ///   - read: Reads the JSON text, and what it says of each container.
    func run(
        write: ([UInt8]) throws(KinfolkError) -> Void,
        _ read: (Connection) throws -> (json: String, uses: [ContainerUse])
    ) throws(KinfolkError) {
        var hasWritten = false
        try service.read { db in
            // A read is repeated if the store was lost or replaced. What was written cannot be taken back.
            guard !hasWritten else { throw KinfolkError(.serviceUnavailable, "The store was lost during the export.") }
            let (json, uses) = try read(db)
            hasWritten = true
            try write(TarHeader(name: "export.json", size: json.utf8.count).bytes)
            var rest = json.utf8[...]
            while !rest.isEmpty {
                try write(Array(rest.prefix(ArchiveExport.pieceLength)))
                rest = rest.dropFirst(ArchiveExport.pieceLength)
            }
            try write(TarHeader.padding(of: json.utf8.count))
            var known: Set<Asset> = []
            for use in uses {
                let files = try AssetFiles(in: use.number, service, db)
                for record in use.recordsWithFiles {
                    for asset in record.assets where known.insert(asset).inserted {
                        try write(TarHeader(name: asset.fileName, size: asset.size).bytes)
                        try files.forEachPiece(of: asset, in: record, write)
                        try write(TarHeader.padding(of: asset.size))
                    }
                }
            }
            try write(TarHeader.end)
        }
    }
}

extension Record {
    fileprivate var assets: [Asset] { keys.flatMap { self[$0]?.assets ?? [] } }
}
