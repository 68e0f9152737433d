import Foundation
import KinfolkFiles
import KinfolkStorage
import ServiceSupport
import TestSupport
import Testing

@testable import Kinfolk

/// A backup replaces a store completely or not at all.
@Suite(.enabled(if: TemporaryFolder.hasFiles)) struct RestoreTests {
    private let folder: TemporaryFolder
    private let (path, key, backup): (String, String, String)

    init() throws {
        folder = try TemporaryFolder()
        (path, key, backup) = (folder.file("kinfolk.db"), folder.file("kinfolk.key"), folder.file("backup.db"))
        let service = try open()
        _ = try service.createContainer("com.example.notes")
        for number in 0..<30 {
            _ = try service.createAccount(name: PersonName(), emails: ["p\(number)@example.com"], verified: true)
        }
        try service.backUp(to: backup)
        for _ in 0..<7 { _ = try service.createAccount() }
    }

    private func open() throws -> Service { try Service.open(path, key: .file(key)) }

    private func count() throws -> Int { try open().accounts(limit: 1_000).count }

    private func restore(from other: String? = nil, replacingOther: Bool = false) throws {
        let check = try Service.restore(
            path,
            from: other ?? backup,
            key: .file(key),
            replacingOther: replacingOther,
            wait: 0.1
        )
        #expect(check.isSound)
    }

    private func put(_ from: String, at to: String) throws {
        if FileManager.default.fileExists(atPath: to) { try FileManager.default.removeItem(atPath: to) }
        try FileManager.default.copyItem(atPath: from, toPath: to)
    }

    /// The files in the folder that are not the store's own.
    private func drafts() throws -> [String] { try folder.names().filter { $0.hasPrefix("kinfolk-restore.") } }

    @Test func openingTheRestoredStoreImmediatelyLosesNothing() throws {
        var opened: Service?
        try Service.restore(FilePath(path), from: FilePath(backup), key: .file(key), false, 1, { _ in }) { step in
            guard step == .placed else { return }
            let service = try open()
            for _ in 0..<5 { _ = try service.createAccount() }
            opened = service
        }
        #expect(try count() == 35)
        withExtendedLifetime(opened) {}
        opened = nil
        #expect(try count() == 35)
    }

    // MARK: Changes

    /// A reader of the changes of a zone, in the store as it is now.
    private func notes(_ service: Service) throws -> Database {
        let account = try service.accounts(limit: 1)[0]
        return try service.container("com.example.notes").session(for: account).privateDatabase
    }

    private func saveNote(_ name: String) throws -> ServerChangeToken {
        let database = try notes(open())
        _ = try database.save(Record(type: "Note", id: RecordID(name, zone: "Notes")))
        return try database.changes(inZone: "Notes").token
    }

    @Test(arguments: ["restore", "accept older", "copy"]) func tokensOfALostStateExpire(how: String) throws {
        try notes(open()).save(RecordZone("Notes"))
        try open().container("com.example.notes").addField("value", type: .int64, to: "Note")
        let old = try saveNote("a")
        let (backup, copy) = (folder.file("backup of notes.db"), folder.file("copy.db"))
        try open().backUp(to: backup)
        let lost = try saveNote("lost")
        switch how {
        case "restore": try restore(from: backup)
        case "accept older":
            try put(backup, at: path)
            try Service.acceptOlder(path, key: .file(key))
        default: try open().copy(to: copy)
        }
        // The other history gives the same number to another change.
        let service = how == "copy" ? try Service.open(copy, key: .file(key)) : try open()
        let database = try notes(service)
        if how != "copy" { expect(.unknownItem) { try database.fetch(RecordID("lost", zone: "Notes")) } }
        _ = try database.save(Record(type: "Note", id: RecordID("new", zone: "Notes")))
        for token in [old, lost] { expect(.changeTokenExpired) { try database.changes(inZone: "Notes", since: token) } }
        #expect(try database.changes(inZone: "Notes").records.contains { $0.id.name == "new" })
    }

    /// The log is next to the file, not next to the link.
    @Test func aLinkIsFollowedToItsTarget() throws {
        let links = try TemporaryFolder()
        let link = links.file("link.db")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        let writer = try open()
        _ = try writer.createAccount()
        let reader = try Service.open(link, key: .file(key), readOnly: true)
        #expect(try reader.accounts(limit: 1_000).count == 38)
        // A store that is in use is no backup, even under the name of a link.
        let target = links.file("target.db")
        expect(.serviceUnavailable) { try Service.restore(target, from: link, key: .file(key)) }
        withExtendedLifetime((writer, reader)) {}
    }

    @Test func aDanglingLinkIsRestoredAtItsTarget() throws {
        let link = folder.file("link.db")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "later.db")
        try Service.restore(link, from: backup, key: .file(key))
        #expect(try Service.open(folder.file("later.db"), key: .file(key)).accounts(limit: 1_000).count == 30)
    }

    /// The store's identity is in its log, which can be read only by opening the store.
    @Test func aDifferentStoreThatWasNotClosedIsNotReplaced() throws {
        let (other, copy) = (folder.file("other.db"), folder.file("copy.db"))
        let service = try Service.open(other, key: .file(folder.file("other.key")))
        _ = try service.createAccount()
        for suffix in ["", "-wal"] { try put(other + suffix, at: copy + suffix) }
        expect(.conflict) { try Service.restore(copy, from: backup, key: .file(key)) }
        withExtendedLifetime(service) {}
    }

    @Test func aBackupReplacesTheStore() throws {
        let content = try bytes(of: backup)
        #expect(try count() == 37)
        var steps: [StoreRestore] = []
        try Service.restore(path, from: backup, key: .file(key)) { steps.append($0) }
        #expect(Set(steps.map(\.step)) == [.copying, .checking])
        #expect(steps.filter { $0.step == .copying }.last?.done == content.count)
        #expect(try count() == 30)
        #expect(try open().check().isSound)
        #expect(try bytes(of: backup) == content)
        #expect(try drafts() == [])
        #expect(try mode(of: path) == 0o600)
        // The same again, after a change.
        _ = try open().createAccount()
        try restore()
        #expect(try count() == 30)
    }

    @Test func anOlderFileThatIsCopiedBackIsStillRefused() throws {
        let old = folder.file("old.db")
        try put(path, at: old)
        _ = try open().createAccount()
        try restore()
        _ = try open().createAccount()
        for file in [backup, old] {
            try put(file, at: path)
            expect(.storeCorrupt) { try open() }
        }
        #expect(try Service.acceptOlder(path, key: .file(key)))
        #expect(try count() == 37)
    }

    /// Otherwise a thousand restores would push the lines of older states out of the file.
    @Test func repeatedRestoresUseOneLineOfTheCounterFile() throws {
        func lines() throws -> Int {
            try String(decoding: bytes(of: key + ".counter"), as: UTF8.self).split(separator: "\n").count
        }
        let before = try lines()
        for _ in 0..<5 {
            try restore()
            _ = try open().createAccount()
        }
        #expect(try lines() == before)
        try put(backup, at: path)
        expect(.storeCorrupt) { try open() }
        // A restore to another place makes a separate store, next to the one that is used further.
        let other = folder.file("second.db")
        try Service.restore(other, from: backup, key: .file(key))
        _ = try Service.open(other, key: .file(key)).createAccount()
        try restore()
        _ = try open().createAccount()
        #expect(try Service.open(other, key: .file(key)).accounts(limit: 100).count == 31)
    }

    @Test func anOlderFileIsRefusedAfterARotationToo() throws {
        let older = folder.file("older.db")
        try put(path, at: older)
        _ = try open().createAccount()
        let newer = folder.file("newer.db")
        try open().backUp(to: newer)
        _ = try open().rotateKeys()
        let oldKey = KeySource.file(folder.file("kinfolk.key.1"))
        try Service.restore(path, from: newer, key: oldKey)
        #expect(try Service.open(path, key: oldKey).accounts(limit: 100).count == 38)
        try put(older, at: path)
        expect(.storeCorrupt) { try Service.open(path, key: oldKey) }
    }

    @Test func anUnopenedCopyIsADifferentStore() throws {
        let (other, copy) = (folder.file("other.db"), folder.file("copy.db"))
        let service = try Service.open(other, key: .file(folder.file("other.key")))
        for _ in 0..<5 { _ = try service.createAccount() }
        _ = try service.copy(to: copy)
        let content = try bytes(of: copy)
        expect(.conflict) { try Service.restore(copy, from: backup, key: .file(key)) }
        #expect(try bytes(of: copy) == content)
        try Service.restore(copy, from: backup, key: .file(key), replacingOther: true)
    }

    /// Another store, and one in use, are refused before the backup is read.
    @Test func invalidRestoresAreRefusedBeforeAnyWork() throws {
        let other = folder.file("other.db")
        _ = try Service.open(other, key: .file(folder.file("other.key"))).createAccount()
        var steps: [StoreRestore.Step] = []
        expect(.conflict) {
            try Service.restore(other, from: backup, key: .file(key), wait: 0.1) { steps.append($0.step) }
        }
        #expect(!steps.contains(.checking))
        let service = try open()
        steps = []
        expect(.serviceUnavailable) {
            try Service.restore(path, from: backup, key: .file(key), wait: 0.1) { steps.append($0.step) }
        }
        #expect(steps == [])
        withExtendedLifetime(service) {}
    }

    /// The folder may belong to an attacker who puts another file at the path of the temporary file.
    @Test func aFileWithTheNameOfTheTemporaryFileIsNotTouched() throws {
        let victim = folder.file("victim")
        try Data(repeating: 0x41, count: 100).write(to: URL(fileURLWithPath: victim))
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: victim)
        for isLink in [true, false] {
            expect(.permissionFailure) {
                try Service.restore(FilePath(path), from: FilePath(backup), key: .file(key), false, 1, { _ in }) {
                    step in
                    guard step == .prepared else { return }
                    let draft = try #require(try drafts().first { $0.hasSuffix(".db") }.map(folder.file))
                    try FileManager.default.removeItem(atPath: draft)
                    if isLink {
                        try FileManager.default.createSymbolicLink(atPath: draft, withDestinationPath: victim)
                    } else {
                        try FileManager.default.linkItem(atPath: victim, toPath: draft)
                    }
                }
            }
            #expect(try bytes(of: victim) == Data(repeating: 0x41, count: 100))
            #expect(try mode(of: victim) == 0o644)
        }
        #expect(try count() == 37)
    }

    @Test func theModeOfTheStoreIsKept() throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
        try restore()
        #expect(try mode(of: path) == 0o640)
    }

    @Test func aRestoreNeedsOnlyTheBackupAndTheKey() throws {
        for name in ["kinfolk.db", "kinfolk.key.counter"] {
            try FileManager.default.removeItem(atPath: folder.file(name))
        }
        try Data("the log of nobody".utf8).write(to: URL(fileURLWithPath: path + "-wal"))
        try restore()
        #expect(try count() == 30)
        #expect(try drafts() == [])
    }

    @Test func aPlainCopyOfAClosedStoreIsABackupToo() throws {
        let copy = folder.file("copy.db")
        try put(path, at: copy)
        _ = try open().createAccount()
        try restore(from: copy)
        #expect(try count() == 37)
    }

    @Test func aCopyOfTheStoreIsADifferentStore() throws {
        let copy = folder.file("copy.db")
        _ = try open().copy(to: copy)
        expect(.conflict) { try restore(from: copy) }
        try restore(from: copy, replacingOther: true)
        #expect(try count() == 37)
    }

    @Test func aPassphraseOpensABackup() throws {
        let (phrase, copy) = (folder.file("phrase.db"), folder.file("phrase-backup.db"))
        do {
            let service = try Service.open(phrase, key: .passphrase("correct horse"))
            _ = try service.createAccount()
            try service.backUp(to: copy)
        }
        expect(.keyMismatch) { try Service.restore(phrase, from: copy, key: .passphrase("wrong")) }
        try Service.restore(phrase, from: copy, key: .passphrase("correct horse"))
        #expect(try Service.open(phrase, key: .passphrase("correct horse")).accounts().count == 1)
    }

    @Test func restoreHasAnAsyncForm() async throws {
        try await Service.restore(path, from: backup, key: .file(key))
        let service = try await Service.open(path, key: .file(key), readOnly: true)
        #expect(try await service.check().isSound)
        #expect(try await service.accounts(limit: 100).count == 30)
    }

    @Test func anErrorInProgressEndsARestoreBeforeAnyChange() throws {
        for step in [StoreRestore.Step.copying, .checking] {
            expect(.cancelled) {
                try Service.restore(path, from: backup, key: .file(key)) { (progress) throws(KinfolkError) in
                    if progress.step == step { throw .cancelled }
                }
            }
        }
        expect(.cancelled) { try open().check { _, _ throws(KinfolkError) in throw .cancelled } }
        #expect(try count() == 37)
        #expect(try drafts() == [])
    }

    // MARK: What is refused

    @Test func aStoreThatIsInUseIsNotReplaced() throws {
        do {
            let service = try open()
            let error = expect(.serviceUnavailable) { try restore() }
            #expect(error?.reason.contains("open") == true)
            _ = try service.createAccount()
            #expect(try service.check().isSound)
        }
        let probe = try Probe("hold-service", path)
        #expect(probe.line() == "holding")
        expect(.serviceUnavailable) { try restore() }
        _ = probe.finish()
        let reader = try Probe("accounts-hold", path, "0")
        #expect(reader.line() == "holding")
        expect(.serviceUnavailable) { try restore() }
        _ = reader.finish()
        #expect(try count() == 38)
        try restore()
        #expect(try count() == 30)
    }

    @Test func aDifferentStoreIsReplacedOnlyOnRequest() throws {
        let other = folder.file("other.db")
        _ = try Service.open(other, key: .file(key)).createAccount()
        let copy = folder.file("other-backup.db")
        try Service.open(other, key: .file(key)).backUp(to: copy)
        expect(.conflict) { try restore(from: copy) }
        #expect(try count() == 37)
        try restore(from: copy, replacingOther: true)
        #expect(try count() == 1)
        let text = folder.file("notes.db")
        try Data(repeating: 0x41, count: 5_000).write(to: URL(fileURLWithPath: text))
        expect(.conflict) { try Service.restore(text, from: backup, key: .file(key)) }
        expect(.storeCorrupt) { try restore(from: text) }
        expect(.unknownItem) { try restore(from: folder.file("missing.db")) }
        expect(.storeCorrupt) { try restore(from: folder.path) }
        expect(.invalidArgument) { try restore(from: path) }
        expect(.storeCorrupt) { try Service.restore(folder.path, from: backup, key: .file(key)) }
        expect(.invalidArgument) { try Service.restore("postgresql://h/d", from: backup, key: .file(key)) }
        expect(.unknownItem) { try Service.restore(folder.file("none/k.db"), from: backup, key: .file(key)) }
        #expect(try count() == 1)
        #expect(try drafts() == [])
    }

    @Test func aDamagedBackupReplacesNothing() throws {
        try RawDatabase(backup).run(
            """
            PRAGMA journal_mode = DELETE;
            UPDATE emails SET is_discoverable = 0 WHERE tag = (SELECT min(tag) FROM emails)
            """
        )
        let error = expect(.storeCorrupt) { try restore() }
        #expect(error?.reason.contains("accounts") == true)
        let half = folder.file("half.db")
        try bytes(of: path).prefix(40_000).write(to: URL(fileURLWithPath: half))
        expect(.storeCorrupt) { try restore(from: half) }
        #expect(try count() == 37)
        #expect(try drafts() == [])
    }

    @Test func aBackupWithItsOwnLogIsAStoreInUse() throws {
        let other = folder.file("other.db")
        let service = try Service.open(other, key: .file(key))
        expect(.serviceUnavailable) { try restore(from: other) }
        _ = try service.createAccount()
        expect(.serviceUnavailable) { try restore(from: other) }
    }

    @Test func aWrongKeyRestoresNothing() throws {
        let other = folder.file("other.key")
        _ = try Service.open(folder.file("other.db"), key: .file(other))
        expect(.keyMismatch) { try Service.restore(path, from: backup, key: .file(other)) }
        expect(.keyMismatch) { try Service.restore(path, from: backup, key: .file(folder.file("no.key"))) }
        #expect(try folder.names().contains("no.key") == false)
        #expect(try count() == 37)
        _ = try open().rotateKeys()
        expect(.keyMismatch) { try restore() }
        #expect(try count() == 37)
        try Service.restore(path, from: backup, key: .file(folder.file("kinfolk.key.1")), replacingOther: false)
        #expect(try Service.open(path, key: .file(folder.file("kinfolk.key.1"))).accounts(limit: 100).count == 30)
    }

    // MARK: A log that is not the file's

    /// A store that a process left without closing it: its log has the last changes.
    private func leaveLog(accounts: Int) throws {
        let probe = try Probe("accounts-hold", path, "\(accounts)")
        #expect(probe.line() == "holding")
        probe.kill()
        #expect(try bytes(of: path + "-wal").count > 1_000)
    }

    @Test func aBackupNextToTheLogOfTheOldStoreIsRefusedAndCanBeRestored() throws {
        try leaveLog(accounts: 40)
        let log = try bytes(of: path + "-wal")
        // As "cp backup.db kinfolk.db" does.
        try bytes(of: backup).write(to: URL(fileURLWithPath: path))
        for readOnly in [false, true] {
            let error = expect(.storeCorrupt) { try Service.open(path, key: .file(key), readOnly: readOnly) }
            #expect(error?.reason.contains("kinfolk restore") == true)
        }
        expect(.storeCorrupt) { try Service.acceptOlder(path, key: .file(key)) }
        #expect(try bytes(of: path) == bytes(of: backup))
        #expect(try bytes(of: path + "-wal") == log)
        try restore()
        #expect(try count() == 30)
        #expect(try open().check().isSound)
    }

    @Test func anUnopenedCopyInAFileHasNoLogEither() throws {
        let copy = folder.file("copy.db")
        _ = try open().copy(to: copy)
        #expect(try bytes(of: copy)[18...19] == Data([1, 1]))
        #expect(try bytes(of: backup)[18...19] == Data([1, 1]))
        try leaveLog(accounts: 40)
        try bytes(of: copy).write(to: URL(fileURLWithPath: path))
        expect(.storeCorrupt) { try open() }
        try FileManager.default.removeItem(atPath: path + "-wal")
        #expect(try count() == 37)
    }

    @Test func theLogOfAKilledProcessBelongsToItsFile() throws {
        // A new store, killed shortly after its creation: the header allows a log before there is one.
        let new = folder.file("new.db")
        let probe = try Probe("accounts-hold", new, "1")
        #expect(probe.line() == "holding")
        probe.kill()
        #expect(try Service.open(new, key: .file(folder.file("new.key"))).accounts().count == 1)
        // The same with a backup that is opened first.
        try put(backup, at: new)
        for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: new + suffix) }
        try put(key, at: folder.file("new.key"))
        let second = try Probe("accounts-hold", new, "1")
        #expect(second.line() == "holding")
        second.kill()
        #expect(try Service.open(new, key: .file(folder.file("new.key"))).accounts(limit: 100).count == 31)
    }

    // MARK: Killed

    /// Restores in another process, which ends itself by `kill -9` after a step.
    private func killed(after step: StoreDraft.Step) throws {
        let probe = try Probe("restore", path, backup, step.rawValue)
        #expect(probe.finish() == [step.rawValue])
    }

    @Test(arguments: [StoreDraft.Step.finished, .folded, .cleared, .placed])
    func afterAKillAtAnyStepTheStoreHasTheOldOrTheNewState(_ step: StoreDraft.Step) throws {
        try leaveLog(accounts: 5)
        try killed(after: step)
        #expect(try count() == (step == .placed ? 30 : 42))
        #expect(try open().check().isSound)
        #expect(try !drafts().isEmpty)
        try restore()
        #expect(try count() == 30)
        // The temporary file of the killed process contains people who may have been erased since.
        #expect(try drafts() == [])
    }

    @Test(arguments: [StoreDraft.Step.finished, .folded, .cleared, .placed])
    func afterAKillAForeignLogIsNeverApplied(_ step: StoreDraft.Step) throws {
        try leaveLog(accounts: 5)
        try bytes(of: backup).write(to: URL(fileURLWithPath: path))
        try killed(after: step)
        expect(.storeCorrupt) { try open() }
        try restore()
        #expect(try count() == 30)
        #expect(try open().check().isSound)
    }

    @Test(arguments: [StoreDraft.Step.finished, .cleared, .placed])
    func afterAKillWithoutAnOldStoreThereIsNoStoreOrTheNewOne(_ step: StoreDraft.Step) throws {
        try FileManager.default.removeItem(atPath: path)
        try killed(after: step)
        if step == .placed {
            #expect(try count() == 30)
        } else {
            expect(.unknownItem) { try Service.open(path, key: .file(key), existingOnly: true) }
        }
        try restore()
        #expect(try count() == 30)
    }
}
