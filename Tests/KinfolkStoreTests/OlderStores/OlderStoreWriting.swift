import Foundation
import Kinfolk
import ServiceSupport
import TestSupport
import Testing

/// Writes the stores that later versions must be able to open: `packaging/older-stores` runs this, once for a version.
@Suite struct OlderStoreWriting {
    private static let folder = ProcessInfo.processInfo.environment["KINFOLK_WRITE_STORES"]

    private static var isOn: Bool { folder != nil }

    @Test(.enabled(if: isOn && TemporaryFolder.hasFiles, "packaging/older-stores runs it."), arguments: [true, false])
    func aFileIsWritten(hasKeyFile: Bool) throws {
        let folder = URL(fileURLWithPath: try #require(OlderStoreWriting.folder))
        let temporary = try TemporaryFolder()
        let store = folder.appendingPathComponent(hasKeyFile ? "file.db" : "passphrase.db")
        let phrases = ["first phrase", "second phrase"]
        let maker = OlderStoreMaker(
            path: store.path,
            keys: hasKeyFile ? nil : phrases.map(KeySource.passphrase),
            keyFile: temporary.file("kinfolk.key"),
            isRotating: hasKeyFile
        )
        let (roster, observation) = try maker.make()
        var key = OlderStoreContent.Key(passphrase: hasKeyFile ? nil : phrases[1])
        if hasKeyFile { key.files = try OlderStoreWriting.files(of: temporary) }
        let content = OlderStoreContent(roster, at: maker.clock.now, key: key, observation)
        try content.write(to: store.deletingPathExtension().appendingPathExtension("json"))
    }

    @Test(.enabled(if: isOn && !TemporaryFolder.hasFiles, "packaging/older-stores runs it."))
    func aSchemaOfAServerIsWritten() throws {
        let folder = URL(fileURLWithPath: try #require(OlderStoreWriting.folder))
        let temporary = try TemporaryFolder()
        let maker = OlderStoreMaker(
            path: try #require(TemporaryFolder.server) + "&schema=\(OlderStore.schema)",
            keys: nil,
            keyFile: temporary.file("kinfolk.key"),
            isRotating: true
        )
        let (roster, observation) = try maker.make()
        let key = OlderStoreContent.Key(files: try OlderStoreWriting.files(of: temporary))
        let content = OlderStoreContent(roster, at: maker.clock.now, key: key, observation)
        try content.write(to: folder.appendingPathComponent("server.json"))
    }

    private static func files(of folder: TemporaryFolder) throws -> [String: Data] {
        let names = try folder.names().filter { $0.hasPrefix("kinfolk.key") }
        return Dictionary(uniqueKeysWithValues: try names.map { ($0, try bytes(of: folder.file($0))) })
    }
}
