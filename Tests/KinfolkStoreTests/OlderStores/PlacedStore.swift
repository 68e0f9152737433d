import Foundation
import Kinfolk
import KinfolkFiles
import KinfolkStorage
import ServiceSupport
import TestSupport
import Testing

/// A copy of an older store that a test may change.
struct PlacedStore {
    let folder: TemporaryFolder
    let content: OlderStoreContent
    let clock: TestClock

    init(_ content: OlderStoreContent) throws {
        folder = try TemporaryFolder()
        self.content = content
        clock = TestClock()
        clock.advance(seconds: Timestamp(microseconds: content.moment).seconds(since: clock.now))
    }

    var path: String { folder.store("kinfolk.db") }

    var key: KeySource { content.key.passphrase.map(KeySource.passphrase) ?? .file(folder.file("kinfolk.key")) }

    /// Opens it, or a copy of it, at the time at which it was made, so that nothing in it has expired.
    func open(_ path: String? = nil, key: KeySource? = nil, isReadOnly: Bool = false) throws -> Service {
        let clock = clock
        return try Service(
            path: FilePath(path ?? self.path),
            key: key ?? self.key,
            existingOnly: true,
            isReadOnly: isReadOnly,
            wait: 30
        ) { clock.now }
    }

    /// Opens it as a program does, years later.
    func openToday() throws -> Service { try Service.open(path, key: key, existingOnly: true) }

    func account(_ name: String, _ service: Service) throws -> Account {
        try service.account(AccountID(#require(content.accounts[name])))
    }

    func session(_ name: String, in container: String, _ service: Service) throws -> Session {
        try service.container(container).session(for: account(name, service))
    }
}
