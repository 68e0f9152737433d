import Foundation
import Kinfolk
import KinfolkCore
import KinfolkFiles
import KinfolkStorage
import ServiceSupport
import TestSupport
import Testing

/// Root works in the folder of a user, as with sudo: the files remain that user's.
@Suite(.enabled(if: TemporaryFolder.hasFiles && geteuid() == 0, "Only root may work for another user."))
struct FilesOfAnotherUserTests {
    private static let user: uid_t = 12_345

    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("kinfolk.db")
        try #require(chown(folder.path, Self.user, Self.user) == 0)
    }

    /// All files but these belong to the user, who alone may use them.
    private func expectAllAreTheUsers(besides others: [String] = []) throws {
        for name in try folder.names() where !others.contains(name) {
            var status = stat()
            #expect(stat(folder.file(name), &status) == 0)
            #expect(
                status.st_uid == Self.user && status.st_gid == Self.user && status.st_mode & 0o777 == 0o600,
                "\(name)"
            )
        }
    }

    /// A service of the user.
    private func serve() throws -> Probe {
        let service = try Probe("serve", path, "\(Self.user)")
        #expect(service.line() == "open")
        return service
    }

    private func answer(of service: Probe) throws -> String? {
        try service.tell("account")
        return service.line()
    }

    private func expectTheUserOpensIt() throws {
        #expect(try Probe("open", path, "\(Self.user)").finish() == ["ok"])
    }

    @Test func aStoreThatRootMakesBelongsToTheOwnerOfTheFolder() throws {
        let service = try Service.open(path)
        _ = try service.createAccount()
        try expectAllAreTheUsers()
        #expect(try answer(of: serve()) == "ok")
    }

    @Test(arguments: ["rotation", "rotation after a leak", "first counter", "accept older", "copy"])
    func aRunningServiceGoesOn(after work: String) throws {
        try expectTheUserOpensIt()
        let running = try serve()
        #expect(try answer(of: running) == "ok")
        switch work {
        case "rotation": _ = try Service.open(path).rotateKeys()
        case "rotation after a leak": _ = try Service.open(path).rotateKeys(isLeaked: true)
        case "first counter":
            unlink(folder.file("kinfolk.key.counter"))
            _ = try Service.open(path).createAccount()
            #expect(try folder.names().contains("kinfolk.key.counter"))
        case "accept older": try Service.acceptOlder(path)
        default: try Service.open(path).copy(to: folder.file("copy.db"))
        }
        try expectAllAreTheUsers()
        #expect(try answer(of: running) == "ok")
        #expect(running.finish() == [])
        try expectTheUserOpensIt()
    }

    @Test func theKeyOfARotationThatWasKilledBelongsToTheUser() throws {
        try expectTheUserOpensIt()
        let key = FilePath(folder.file("kinfolk.key"))
        _ = try KeyFile.make(KeyFile.draft(for: key), as: .nextKey, like: key)
        try expectAllAreTheUsers()
        #expect(try answer(of: serve()) == "ok")
    }

    /// The user may not read the key of a service that runs as root, though it is in the user's folder.
    @Test func aNewKeyIsAsSecretAsTheOldOne() throws {
        _ = try Service.open(path).createAccount()
        let key = folder.file("kinfolk.key")
        try #require(chown(key, 0, 0) == 0 && chmod(key, 0o400) == 0)
        unlink(key + ".counter")
        let service = try Service.open(path)
        _ = try service.createAccount()
        _ = try service.rotateKeys()
        for name in ["kinfolk.key", "kinfolk.key.1"] {
            var status = stat()
            #expect(
                stat(folder.file(name), &status) == 0 && status.st_uid == 0 && status.st_mode & 0o777 == 0o400,
                "\(name)"
            )
        }
    }

    @Test func aBackupBelongsToItsMakerAndARestoredStoreToItsOwner() throws {
        try expectTheUserOpensIt()
        let backup = folder.file("backup.db")
        try Service.open(path).backUp(to: backup)
        var status = stat()
        #expect(stat(backup, &status) == 0 && status.st_uid == 0 && status.st_mode & 0o777 == 0o600)
        try Service.restore(path, from: backup)
        try expectAllAreTheUsers(besides: ["backup.db"])
        try expectTheUserOpensIt()
        // With nothing that it replaces.
        for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
        try Service.restore(path, from: backup)
        try expectAllAreTheUsers(besides: ["backup.db"])
        try expectTheUserOpensIt()
        #expect(try folder.names().filter { $0.hasPrefix("kinfolk-") } == [])
    }

    /// The user puts a link to a database of root in the place of the backup that root makes in the user's folder.
    @Test(arguments: [false, true]) func aBackupIsNotWrittenThroughALink(hasExclusion: Bool) throws {
        let own = try TemporaryFolder()
        let service = try Service.open(own.file("kinfolk.db"))
        if hasExclusion {
            let container = try service.openOrCreateContainer("com.example.notes").container
            let documents = try container.session(for: service.createAccount()).documents
            _ = try documents.setExcludedFromBackup(true, documents.create("left", contents: [1]))
        }
        let victim = own.file("victim.db")
        try Service.open(own.file("other.db"), key: .file(own.file("kinfolk.key"))).backUp(to: victim)
        let before = try bytes(of: victim)
        var hasSwapped = false
        expect(.permissionFailure) {
            try service.backUp(to: folder.file("backup.db")) { _, _ in
                guard !hasSwapped, let name = try? folder.names().first(where: { $0.hasSuffix(".part") }) else {
                    return
                }
                hasSwapped =
                    rename(folder.file(name), folder.file("old")) == 0 && symlink(victim, folder.file(name)) == 0
            }
        }
        #expect(try hasSwapped && bytes(of: victim) == before)
        #expect(try folder.names().contains("backup.db") == false)
    }

    @Test(arguments: StoreDraft.Step.allCases) func aRestoreThatIsKilledLeavesAStoreOfTheUser(
        after step: StoreDraft.Step
    ) throws {
        try expectTheUserOpensIt()
        let backup = folder.file("backup.db")
        try Service.open(path).backUp(to: backup)
        // A store that was killed has a log, which the restore copies into it.
        let killed = try serve()
        #expect(try answer(of: killed) == "ok")
        killed.kill()
        let restore = try Probe("restore", path, backup, step.rawValue)
        #expect(restore.line() == step.rawValue)
        #expect(restore.finish() == [])
        try expectTheUserOpensIt()
        try #require(chown(backup, Self.user, Self.user) == 0)
        #expect(try Probe("restore-as", path, backup, "\(Self.user)").finish() == ["ok"])
        #expect(try folder.names().filter { $0.hasPrefix("kinfolk-") } == [])
        try expectAllAreTheUsers()
        try expectTheUserOpensIt()
    }
}
