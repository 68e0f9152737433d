import Foundation
import Kinfolk
import KinfolkContacts
import KinfolkFiles
import ServiceSupport
import TestSupport
import Testing

/// No call reads or replaces a file of an open store as a file of the caller.
@Suite(.enabled(if: TemporaryFolder.hasFiles)) struct FilesInUseTests {
    /// What a new store has, and names that a journal and the key of a rotation would have.
    private static let present = [
        "kinfolk.db", "kinfolk.db-wal", "kinfolk.db-shm", "kinfolk.key", "kinfolk.key.counter",
    ]
    private static let absent = ["kinfolk.db-journal", "kinfolk.key.new"]

    private let store: TestService
    private let session: Session
    private let asset: Asset

    init() throws {
        store = try TestService()
        session = try store.container.session(for: store.account("Ada"))
        asset = try session.privateDatabase.upload(Array("other content".utf8))
        // It is otherwise made within a minute, or when a service is closed.
        let other = try store.reopened()
        _ = try other.createAccount()
        other.writePending()
        #expect(try Set(store.folder.names()).isSuperset(of: Self.present))
    }

    /// Expects that a call with the path of each file fails, and changes nothing.
    private func expectRefused(
        _ code: KinfolkError.Code = .invalidArgument,
        _ names: [String] = present,
        _ location: SourceLocation = #_sourceLocation,
        _ body: (String) throws -> some Any
    ) throws {
        let all = try store.folder.names()
        for name in names {
            let file = FilePath(store.folder.file(name))
            let identity = FileIdentity(file)
            let error = expect(code, location) { try body(store.folder.file(name)) }
            if code == .invalidArgument {
                #expect(error?.reason.contains("open store") == true, "\(name)", sourceLocation: location)
            }
            #expect(FileIdentity(file) == identity, "\(name)", sourceLocation: location)
        }
        #expect(try store.folder.names() == all, sourceLocation: location)
        _ = try store.service.createAccount()
    }

    @Test func contactsAreNotReadFromThem() throws {
        try expectRefused { path in
            var book = ContactBook()
            try book.add(contentsOfFile: path)
        }
    }

    @Test func theFileOfAClosedStoreIsNotInUse() throws {
        let path = FilePath(store.folder.file("kinfolk.db"))
        #expect(FilesInUse.role(of: path) == .database)
        store.service.close()
        #expect(FilesInUse.role(of: path) == nil)
    }

    /// The handles on the closed store are still there.
    @Test func theKeyOfAClosedStoreIsNotInUse() throws {
        let folder = try TemporaryFolder()
        let service = try Service.open(folder.file("other.db"))
        let account = try service.createAccount()
        service.close()
        for name in ["other.key", "other.key.counter"] {
            #expect(FileIdentity(FilePath(folder.file(name))) != nil)
            #expect(FilesInUse.role(of: FilePath(folder.file(name))) == nil, "\(name)")
        }
        withExtendedLifetime((service, account)) {}
    }

    @Test func peopleAreNotReadFromThem() throws {
        try expectRefused { try store.service.importPeople(fromFile: $0, into: store.container) }
    }

    @Test func theyAreNotUploaded() throws {
        try expectRefused { try session.privateDatabase.upload(file: $0) }
    }

    @Test func assetsDoNotReplaceThem() throws {
        try expectRefused(.invalidArgument, Self.present + Self.absent) {
            try session.privateDatabase.save(asset, to: $0)
        }
    }

    @Test func backupsDoNotTakeTheirNames() throws {
        try expectRefused(.conflict, Self.present + Self.absent) { try store.service.backUp(to: $0) }
    }

    @Test func otherStoresDoNotTakeTheirNames() throws {
        let backup = try TemporaryFolder()
        try store.service.backUp(to: backup.file("backup.db"))
        let names = (Self.present + Self.absent).filter { $0 != "kinfolk.db" }
        let key = KeySource.file(store.folder.file("kinfolk.key"))
        try expectRefused(.invalidArgument, names) { try Service.open($0, key: key) }
        try expectRefused(.invalidArgument, names) { try store.service.copy(to: $0) }
        try expectRefused(.invalidArgument, names) {
            try Service.restore($0, from: backup.file("backup.db"), key: key, replacingOther: true)
        }
        try expectRefused(.invalidArgument, names) { try Service.restore(backup.file("new.db"), from: $0, key: key) }
        expect(.serviceUnavailable) {
            try Service.restore(store.path, from: backup.file("backup.db"), key: key, wait: 0)
        }
    }

    @Test func theDatabaseIsNoKeyFile() throws {
        let elsewhere = try TemporaryFolder()
        let names = Self.present.filter { !$0.hasPrefix("kinfolk.key") }
        try expectRefused(.invalidArgument, names) { try store.service.rotateKeys(to: .file($0)) }
        try expectRefused(.invalidArgument, names) { try Service.open(elsewhere.file("other.db"), key: .file($0)) }
        expect(.invalidArgument) { try Service.open(store.path, key: .file(store.path)) }
    }

    @Test func theCounterAndTheNextKeyOfAStoreAreNoKeyOfAnother() throws {
        let elsewhere = try TemporaryFolder()
        for name in ["kinfolk.key.counter", "kinfolk.key.new"] {
            expect(.invalidArgument) {
                try Service.open(elsewhere.file("other.db"), key: .file(store.folder.file(name)))
            }
            expect(.invalidArgument) { try store.service.rotateKeys(to: .file(store.folder.file(name))) }
        }
        #expect(try !store.folder.names().contains("kinfolk.key.new"))
        #expect(try elsewhere.names() == [])
    }

    @Test func aRotationDoesNotTakeTheKeyOfAnotherStore() throws {
        let folder = try TemporaryFolder()
        let key = folder.file("one.key.new")
        let two = try Service.open(folder.file("two.db"), key: .file(key))
        let one = try Service.open(folder.file("one.db"))
        let before = try (bytes(of: key), bytes(of: folder.file("one.key")))
        expect(.invalidArgument) { try one.rotateKeys() }
        #expect(try bytes(of: key) == before.0 && bytes(of: folder.file("one.key")) == before.1)
        withExtendedLifetime(two) {}
    }

    @Test func documentsAreNotMadeOfThem() throws {
        let result = try session.documents.importFolder(store.folder.path)
        #expect(result.created == 0)
        #expect(Set(result.skipped.filter { $0.reason == .inUse }.map(\.path)) == Set(Self.present))
    }

    @Test func documentsDoNotReplaceThem() throws {
        let names = Self.present + Self.absent
        for name in names { _ = try session.documents.create(name, contents: Array("other content".utf8)) }
        let before = try store.folder.names()
        let result = try session.documents.export(to: store.folder.path)
        #expect(result.documents == 0)
        #expect(Set(result.skipped.filter { $0.reason == .inUse }.map(\.path)) == Set(names))
        #expect(try store.folder.names() == before)
        _ = try store.service.createAccount()
    }

    @Test func linksToThemAreRefused() throws {
        let folder = try TemporaryFolder()
        for name in Self.present {
            let (link, other) = (folder.file(name), folder.file(name + " of the same file"))
            symlink(store.folder.file(name), link)
            try #require(Glibc.link(store.folder.file(name), other) == 0)
            for path in [link, other] {
                expect(.invalidArgument) { try session.privateDatabase.upload(file: path) }
                expect(.invalidArgument) { try session.privateDatabase.save(asset, to: path) }
            }
        }
    }

    @Test func aFileOfAClosedStoreIsAnyFile() throws {
        let folder = try TemporaryFolder()
        for path in [folder.file("other.db"), folder.file("other.key")] {
            do {
                let (one, two) = (try Service.open(folder.file("other.db")), try Service.open(folder.file("other.db")))
                expect(.invalidArgument) { try session.privateDatabase.upload(file: path) }
                withExtendedLifetime((one, two)) {}
            }
            #expect(try session.privateDatabase.upload(file: path).size > 0)
        }
    }
}
