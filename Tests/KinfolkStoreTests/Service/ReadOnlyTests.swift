import Foundation
import Glibc
import Kinfolk
import KinfolkStorage
import ServiceSupport
import TestSupport
import Testing

/// A store that is open read-only answers calls, and changes nothing.
@Suite struct ReadOnlyTests {
    private let store: TestService

    init() throws { store = try TestService() }

    private func open(_ path: String? = nil, wait: Double = 20) throws -> Service {
        let key = KeySource.file(TemporaryFolder.keyPath(of: store.path))
        return try Service.open(path ?? store.path, key: key, readOnly: true, wait: wait)
    }

    /// A copy of the store that no process has open, in a separate folder.
    private func closedCopy() throws -> (TemporaryFolder, String) {
        let folder = try TemporaryFolder()
        let path = folder.file("kinfolk.db")
        try store.service.backUp(to: path)
        try FileManager.default.copyItem(
            atPath: TemporaryFolder.keyPath(of: store.path),
            toPath: folder.file("kinfolk.key")
        )
        // The header is that of a file that was used with a log.
        _ = try Service.open(path).accounts()
        return (folder, path)
    }

    private func state(of folder: TemporaryFolder) throws -> [String: [FileAttributeKey: String]] {
        var state: [String: [FileAttributeKey: String]] = [:]
        for name in try folder.names() {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.file(name))
            state[name] = attributes.mapValues { "\($0)" }
        }
        state[""] = try FileManager.default.attributesOfItem(atPath: folder.path).mapValues { "\($0)" }
        return state
    }

    @Test(.enabled(if: TemporaryFolder.hasFiles)) func aReadOnlyRotationMakesNoKey() throws {
        let (folder, path) = try closedCopy()
        let before = try folder.names()
        expect(.permissionFailure) { try Service.open(path, readOnly: true).rotateKeys() }
        #expect(try folder.names() == before)
    }

    @Test(.enabled(if: TemporaryFolder.hasFiles)) func anUnopenedCopyIsSound() throws {
        let (folder, path) = try closedCopy()
        let copy = folder.file("copy.db")
        _ = try Service.open(path).copy(to: copy)
        let key = KeySource.file(folder.file("kinfolk.key"))
        #expect(try Service.open(copy, key: key, readOnly: true).check().findings == [])
        #expect(try Service.open(copy, key: key).check().findings == [])
    }

    @Test func readingCallsSucceed() throws {
        let (ada, grace) = try store.fillEachTable()
        let service = try open()
        #expect(service.isReadOnly)
        #expect(try service.accounts().count == store.service.accounts().count)
        let account = try service.account(#require(ada.account))
        #expect(try account.name().givenName == "Ada")
        #expect(try service.account(email: EmailAddress("grace@example.org")).id == grace.account)
        #expect(try account.export().contains("Lady Lovelace"))
        let container = try service.container("com.example.notes")
        let session = try container.session(for: account)
        #expect(try session.fetchUserRecord(in: .private) == ada.fetchUserRecord(in: .private))
        #expect(try session.discover(grace.userRecordID()) != nil)
        #expect(try container.statistics().granted == store.container.statistics().granted)
        #expect(try service.auditLog().count == store.service.auditLog().count)
        #expect(try service.check().isSound)
        #expect(try service.containers().count == 2)
        #expect(try service.claimWait() == 86_400)
        #expect(try session.discoverability() == .granted)
        if TemporaryFolder.hasFiles { try service.backUp(to: store.folder.file("copy.db")) }
        _ = try service.copy(to: store.folder.file("copied.db"))
    }

    @Test func keysAndDocumentsAreRead() throws {
        let account = try store.account("Ada")
        let writer = try store.container.session(for: account)
        let service = try open()
        let reader = try service.container("com.example.notes").session(for: service.account(account.id))
        let (keys, documents) = (reader.keyValueStore(), reader.documents)
        // Neither has a zone yet.
        #expect(try keys.entries().isEmpty && keys.synchronize().isEmpty && documents.search().isEmpty)
        expect(.permissionFailure) { try documents.changes() }
        expect(.permissionFailure) { try documents.onChange { _ in } }
        try writer.keyValueStore().set("dark", forKey: "theme")
        let note = try writer.documents.create("note", contents: [1])
        #expect(try keys.value(forKey: "theme") == "dark")
        #expect(try keys.synchronize() == [KeyValueChange(.initialSyncChange, ["theme"])])
        #expect(try documents.document(at: "note") == note && documents.contents(of: note) == [1])
        #expect(try documents.changes().documents == [note])
    }

    @Test func writingCallsAreRefused() throws {
        let (ada, grace) = try store.fillEachTable()
        let service = try open()
        let account = try service.account(#require(ada.account))
        let container = try service.container("com.example.notes")
        let session = try container.session(for: account)
        let graceID = try grace.userRecordID()
        var record = try session.fetchUserRecord()
        try record.set("nickname", to: .string("Countess"))
        let saved = record
        let calls: [() throws -> Void] = [
            { _ = try service.createAccount() },
            { _ = try service.createContainer("com.example.more") },
            { _ = try service.rotateKeys() },
            { _ = try service.setClaimWait(1) },
            { _ = try account.setName(PersonName(givenName: "Other")) },
            { _ = try account.addEmail("more@example.com", verified: true) },
            { _ = try account.suspend() },
            { _ = try account.erase() },
            { _ = try account.requestVerification(of: EmailAddress("more@example.com")) },
            { _ = try session.save(saved) },
            { try session.keyValueStore().set("dark", forKey: "theme") },
            { try session.keyValueStore().removeValue(forKey: "theme") },
            { _ = try session.documents.create("note", contents: [1]) },
            { _ = try session.block(graceID) },
            { _ = try session.setDiscoverability(.denied, wording: TestService.wording) },
            { _ = try session.discover(EmailAddress("grace@example.org")) },
            { _ = try session.discover(book("grace@example.org", "nobody@example.com")) },
            { _ = try container.account(of: graceID, reason: "Ticket") },
            { _ = try container.setPermitLimit(.test(capacity: 1, perHour: 1)) },
            { _ = try container.setDirectoryModes([.hashed]) },
            { _ = try container.session(for: service.account(email: EmailAddress("late@example.com"))) },
        ]
        _ = try store.account("Late", emails: "late@example.com")
        for (number, call) in calls.enumerated() {
            do {
                try call()
                Issue.record("call \(number) was not refused")
            } catch let error as KinfolkError {
                #expect(error.code == .permissionFailure, "call \(number): \(error)")
                #expect(error.reason == "The store is open for reading only.", "call \(number)")
            }
        }
        #expect(try store.service.check().isSound)
    }

    @Test func noStoreOrKeyIsMade() throws {
        let folder = try TemporaryFolder()
        expect(.unknownItem) { try Service.open(folder.file("kinfolk.db"), readOnly: true) }
        #expect(try folder.names() == [])
    }

    @Test(.enabled(if: TemporaryFolder.hasFiles)) func noByteIsChanged() throws {
        _ = try store.fillEachTable()
        let (folder, path) = try closedCopy()
        let before = try state(of: folder)
        let content = try folder.allBytes()
        do {
            let service = try Service.open(path, readOnly: true)
            _ = try service.accounts()
            #expect(try service.check().isSound)
            expect(.permissionFailure) { try service.createAccount() }
            #expect(try state(of: folder) == before)
        }
        #expect(try state(of: folder) == before)
        #expect(try folder.allBytes() == content)
    }

    @Test(.enabled(if: TemporaryFolder.hasFiles)) func aReadOnlyServiceSeesTheWritesOfOthers() throws {
        let (folder, path) = try closedCopy()
        let service = try Service.open(path, readOnly: true)
        let count = try service.accounts().count
        // The store was opened and closed meanwhile, so the file differs from the one that was read without locks.
        for number in 1...3 {
            _ = try Service.open(path).createAccount()
            #expect(try service.accounts().count == count + number)
        }
        // In use.
        let writer = try Service.open(path)
        for number in 4...6 {
            _ = try writer.createAccount()
            #expect(try service.accounts().count == count + number)
        }
        #expect(try folder.names().contains("kinfolk.db-wal"))
    }

    @Test(.enabled(if: TemporaryFolder.hasFiles)) func aStoreWithoutItsKeyStampIsDamaged() throws {
        let (folder, path) = try closedCopy()
        defer { withExtendedLifetime(folder) {} }
        try RawDatabase(path).run("DELETE FROM service WHERE name = 'key_stamp'")
        for readOnly in [true, false] {
            expect(.storeCorrupt) { try Service.open(path, existingOnly: true, readOnly: readOnly) }
        }
    }

    /// Opens for reading at random times, while others open and close the store.
    @Test(.enabled(if: TemporaryFolder.hasFiles)) func aReadOnlyServiceOpensWhileOthersOpenAndClose() throws {
        let (folder, path) = try closedCopy()
        defer { withExtendedLifetime(folder) {} }
        let isDone = Flag()
        let probe = try Probe("restarts", path, "60")
        try onThreads(3) { thread in
            if thread == 0 {
                #expect(probe.finish() == ["done"])
                isDone.set()
            } else {
                repeat { _ = try Service.open(path, readOnly: true).accounts(limit: 1) } while !isDone.isSet
            }
        }
    }

    @Test(.enabled(if: TemporaryFolder.hasFiles)) func aReadOnlyServiceReadsConsistentStatesWhileOthersWrite() throws {
        let (folder, path) = try closedCopy()
        defer { withExtendedLifetime(folder) {} }
        let isDone = Flag()
        let probe = try Probe("restarts", path, "60")
        try onThreads(3) { thread in
            if thread == 0 {
                #expect(probe.finish() == ["done"])
                isDone.set()
            } else {
                let service = try Service.open(path, readOnly: true)
                repeat { #expect(try service.check().findings == []) } while !isDone.isSet
            }
        }
    }

    @Test(.enabled(if: TemporaryFolder.hasFiles)) func theLogOfAKilledProcessIsRead() throws {
        let (folder, path) = try closedCopy()
        let before = try Service.open(path, readOnly: true).accounts().count
        let probe = try Probe("accounts-hold", path, "20")
        #expect(probe.line() == "holding")
        probe.kill()
        let names = try folder.names()
        #expect(names.contains("kinfolk.db-wal"))
        let content = try folder.allBytes()
        #expect(try Service.open(path, readOnly: true).accounts().count == before + 20)
        #expect(try folder.allBytes() == content)
        #expect(try folder.names() == names)
        // A log without its index cannot be read without making one.
        try FileManager.default.removeItem(atPath: path + "-shm")
        let error = expect(.permissionFailure) { try Service.open(path, readOnly: true, wait: 0.1) }
        #expect(error?.reason.contains("-wal") == true)
        #expect(try folder.names() == names.filter { !$0.hasSuffix("-shm") })
        #expect(try Service.open(path).accounts().count == before + 20)
    }

    /// A copy whose log a killed process has left.
    private func copyWithLog() throws -> (TemporaryFolder, String) {
        let (folder, path) = try closedCopy()
        let probe = try Probe("accounts-hold", path, "20")
        #expect(probe.line() == "holding")
        probe.kill()
        return (folder, path)
    }

    /// Holds the index as another process has it between two steps of opening: it has locked the byte of its users, and emptied the index, but
    /// has not made it yet. Closing the descriptor ends that, as if the process were killed.
    private func holdEmptyIndex(_ path: String) -> Int32 {
        let index = Glibc.open(path + "-shm", O_RDWR)
        var lock = flock(l_type: Int16(F_RDLCK), l_whence: Int16(SEEK_SET), l_start: 128, l_len: 1, l_pid: 0)
        #expect(fcntl(index, 37, &lock) == 0)  // F_OFD_SETLK
        #expect(ftruncate(index, 3) == 0)
        return index
    }

    @Test(.enabled(if: TemporaryFolder.hasFiles)) func anIndexThatIsBeingMadeIsWaitedFor() throws {
        let (folder, path) = try copyWithLog()
        defer { withExtendedLifetime(folder) {} }
        let index = holdEmptyIndex(path)
        try onThreads(2) { thread in
            if thread == 0 {
                // Late enough for the other thread to meet the index. The result does not depend on it.
                usleep(200_000)
                close(index)
            } else {
                let count = try Service.open(path, readOnly: true).accounts().count
                #expect(count >= 20)
            }
        }
    }

    /// The reader that met the index must not keep it in use: nobody else would make it.
    @Test(.enabled(if: TemporaryFolder.hasFiles)) func anIndexThatNobodyMakesKeepsNoReaderWaiting() throws {
        let (folder, path) = try copyWithLog()
        defer { withExtendedLifetime(folder) {} }
        let service = try Service.open(path, readOnly: true, wait: 20)
        let count = try service.accounts().count
        let index = holdEmptyIndex(path)
        let reads = service.store.readCount
        let isDone = Flag()
        try onThreads(2) { thread in
            if thread == 0 {
                while service.store.readCount < reads + 2, !isDone.isSet { usleep(1_000) }
                close(index)
            } else {
                defer { isDone.set() }
                let found = try service.accounts().count
                #expect(found == count)
            }
        }
    }

    @Test(.enabled(if: TemporaryFolder.hasFiles && geteuid() == 0)) func theStoreOfAnotherUserCanBeRead() throws {
        let (folder, path) = try closedCopy()
        for name in ["kinfolk.db", "kinfolk.db-wal"] { chown(folder.file(name), 12_345, 12_345) }
        chmod(folder.path, 0o777)
        expect(.permissionFailure) { try Service.open(path) }
        #expect(try !Service.open(path, readOnly: true).containers().isEmpty)
    }

    @Test(.enabled(if: TemporaryFolder.hasFiles)) func anOlderStateIsRefusedReadOnlyToo() throws {
        let (folder, path) = try closedCopy()
        let old = folder.file("old.db")
        try FileManager.default.copyItem(atPath: path, toPath: old)
        _ = try Service.open(path).createAccount()
        let key = KeySource.file(folder.file("kinfolk.key"))
        expect(.storeCorrupt) { try Service.open(old, key: key, readOnly: true) }
    }
}
