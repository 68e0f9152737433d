import Foundation
import Glibc
import Kinfolk
import ServiceSupport
import TestSupport
import Testing

@Suite struct OpeningTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("kinfolk.db")
    }

    @Test func aServiceReadsWhatAnEarlierOneWrote() throws {
        let id = try Service.open(path).createAccount(name: PersonName(givenName: "Ada")).id
        #expect(try Service.open(path, existingOnly: true).account(id).name().givenName == "Ada")
    }

    @Test func openingAnExistingStoreOnlyMakesNoFile() throws {
        expect(.unknownItem) { try Service.open(path, existingOnly: true) }
        #expect(FileManager.default.createFile(atPath: path, contents: nil))
        expect(.unknownItem) { try Service.open(path, existingOnly: true) }
        #expect(try folder.names() == ["kinfolk.db"])
        #expect(try bytes(of: path).isEmpty)
    }

    @Test func anEmptyFileBecomesAStore() throws {
        #expect(FileManager.default.createFile(atPath: path, contents: nil))
        #expect(try Service.open(path).accounts().isEmpty)
    }

    @Test(arguments: ["", "a\u{0}b", ":memory:", "file:a.db", "file::memory:?cache=shared"])
    func aPathWithoutAFileNameIsRefused(path: String) { expect(.invalidArgument) { try Service.open(path) } }

    @Test func aMissingFolderIsUnknown() throws {
        expect(.unknownItem) { try Service.open(folder.file("none/kinfolk.db")) }
        expect(.unknownItem) { try Service.open(folder.file("none/kinfolk.db"), key: .bytes(keyBytes)) }
        #expect(try folder.names().isEmpty)
    }

    @Test(arguments: [true, false]) func aFileThatIsNoDatabaseIsCorruptAndNotChanged(hasKey: Bool) throws {
        try String(repeating: "BEGIN:VCARD\nEND:VCARD\n", count: 300)
            .write(toFile: path, atomically: false, encoding: .utf8)
        let before = try bytes(of: path)
        expect(.storeCorrupt) { try Service.open(path, key: hasKey ? .bytes(keyBytes) : .besideStore) }
        #expect(try bytes(of: path) == before)
        #expect(try folder.names() == ["kinfolk.db"])
    }

    @Test(arguments: [true, false]) func anotherProgramsDatabaseIsCorruptAndNotChanged(hasKey: Bool) throws {
        try RawDatabase(path).run("CREATE TABLE songs (title TEXT); INSERT INTO songs VALUES ('one')")
        let before = try bytes(of: path)
        expect(.storeCorrupt) { try Service.open(path, key: hasKey ? .bytes(keyBytes) : .besideStore) }
        #expect(try bytes(of: path) == before)
        #expect(try folder.names() == ["kinfolk.db"])
    }

    @Test func aFolderIsReportedAsCorrupt() { expect(.storeCorrupt) { try Service.open(folder.path) } }

    @Test(.timeLimit(.minutes(10))) func aNamedPipeIsRefusedImmediately() throws {
        #expect(mkfifo(path, 0o600) == 0)
        expect(.storeCorrupt) { try Service.open(path, key: .bytes(keyBytes)) }
    }

    @Test func aStoreOfANewerVersionIsRefusedAndNotChanged() throws {
        _ = try Service.open(path)
        try RawDatabase(path).run("PRAGMA user_version = 1000")
        let before = try bytes(of: path)
        let error = expect(.invalidArgument) { try Service.open(path) }
        #expect(error?.reason.contains("newer") == true)
        #expect(try bytes(of: path) == before)
    }

    @Test func aDamagedStoreIsCorrupt() throws {
        do {
            let service = try Service.open(path)
            for _ in 0..<300 { _ = try service.createAccount() }
        }
        var content = try bytes(of: path)
        for offset in 4_096..<content.count { content[offset] = 0x5a }
        try content.write(to: URL(fileURLWithPath: path))
        expect(.storeCorrupt) { try Service.open(path).accounts() }
    }

    @Test(.enabled(if: getuid() == 0, "The check runs as another user, and only root may become one."))
    func aStoreThatAnotherUserOwnsIsNotPermitted() throws {
        _ = try Service.open(path)
        // The other user may read the folder and the files, but not write.
        #expect(chmod(folder.path, 0o755) == 0)
        #expect(try Probe("open", path, "65534").finish() == ["permissionFailure"])
        for name in try folder.names() { #expect(chmod(folder.file(name), 0o644) == 0) }
        #expect(chmod(folder.file("kinfolk.key"), 0o600) == 0)
        #expect(chown(folder.file("kinfolk.key"), 65_534, 65_534) == 0)
        #expect(try Probe("open", path, "65534").finish() == ["permissionFailure"])
    }

    @Test(.enabled(if: getuid() == 0, "The check runs as another user, and only root may become one."))
    func aFolderThatAnotherUserOwnsIsNotPermitted() throws {
        #expect(chmod(folder.path, 0o755) == 0)
        #expect(try Probe("open", path, "65534").finish() == ["permissionFailure"])
        #expect(try folder.names().isEmpty)
    }

    @Test func tenProcessesAtOnceMakeOneStoreWithOneKey() throws {
        let probes = try (0..<10).map { _ in try Probe("accounts", path, "3") }
        let made = probes.flatMap { $0.finish() }
        #expect(Set(made).count == 30)
        #expect(try Set(Service.open(path, existingOnly: true).accounts().map(\.id.description)) == Set(made))
    }

    @Test func writesThatAProcessReportedSurviveItsKill() throws {
        let probe = try Probe("accounts", path, "100000")
        var made: [String] = []
        while made.count < 200, let line = probe.line() { made.append(line) }
        probe.kill()
        let service = try Service.open(path)
        for id in made { #expect(try service.account(AccountID(id)).name() == PersonName()) }
        #expect(made.count == 200)
    }

    @Test func anInheritedServiceFailsInAForkedChildAndANewOneWorks() throws {
        #expect(try Probe("fork", path).finish() == ["child 0", "parent Grace"])
    }

    private let keyBytes = [UInt8](1...32)
}
