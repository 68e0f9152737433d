import Foundation
import Glibc
import KinfolkFiles
import TestSupport
import Testing

@testable import KinfolkStorage

/// How files get their place.
@Suite struct FileDraftTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("file")
    }

    private func make(_ mode: mode_t, owner: uid_t = geteuid(), group: gid_t = getegid()) throws {
        try Data("old".utf8).write(to: URL(fileURLWithPath: path))
        try #require(chown(path, owner, group) == 0 && chmod(path, mode) == 0)
    }

    private func replace(as role: FilesInUse.Role? = nil, mode: mode_t = 0o666) throws {
        let draft = try FileDraft(of: FilePath(path), as: role, mode: mode)
        try draft.write(Array("new".utf8))
        try draft.replace()
        #expect(try bytes(of: path) == Data("new".utf8))
        #expect(try folder.names() == ["file"])
    }

    /// The owner, the group and the mode.
    private func access(_ path: String) throws -> [UInt32] {
        var status = stat()
        try #require(stat(path, &status) == 0)
        return [status.st_uid, status.st_gid, status.st_mode & 0o7777]
    }

    private func number(_ body: () throws(FileFailure) -> Void) -> Int32? {
        do throws(FileFailure) { try body() } catch { return error.number }
        return nil
    }

    /// Each case: the mode of the file, of the call, and of the file that replaces it.
    @Test(
        arguments: [
            (0o600, 0o666, 0o600), (0o640, 0o666, 0o640), (0o644, 0o600, 0o600), (0o6755, 0o666, 0o644),
        ] as [(mode_t, mode_t, mode_t)]
    )
    func aReplacedFileKeepsItsModeUpToThatOfTheCall(old: mode_t, most: mode_t, new: mode_t) throws {
        try make(old)
        try replace(mode: most)
        #expect(try access(path) == [geteuid(), getegid(), new])
    }

    @Test func aNewFileOfAStoreIsForItsOwnerOnly() throws {
        try replace(as: .key, mode: 0o666)
        #expect(try access(path) == [geteuid(), getegid(), 0o600])
    }

    @Test(.enabled(if: geteuid() == 0, "Only root may give a file away."))
    func rootKeepsTheOwnerOfAFileInTheOwnersFolder() throws {
        try #require(chown(folder.path, 12_345, 12_345) == 0)
        try make(0o640, owner: 12_345, group: 777)
        try replace(as: .database)
        #expect(try access(path) == [12_345, 777, 0o640])
        try make(0o600, owner: 12_345, group: 777)
        try replace()
        #expect(try access(path) == [12_345, 777, 0o600])
    }

    @Test(.enabled(if: geteuid() == 0, "Only root may give a file away."))
    func rootGivesANewFileOfAStoreButNoOtherToTheOwnerOfTheFolder() throws {
        try #require(chown(folder.path, 12_345, 12_346) == 0)
        try replace(as: .key)
        #expect(try access(path) == [12_345, 12_346, 0o600])
        unlink(path)
        try replace(mode: 0o600)
        #expect(try access(path) == [0, 0, 0o600])
    }

    /// Another user may have put it there, to read what root writes.
    @Test(
        .enabled(if: geteuid() == 0, "Only root may give a file away."),
        arguments: [0o755, 0o775, 0o777, 0o1777] as [mode_t]
    )
    func rootDoesNotGiveAFileToTheOwnerOfAPlantedOne(folderMode: mode_t) throws {
        let owner: uid_t = folderMode == 0o755 ? 0 : 12_345
        try #require(chown(folder.path, owner, 0) == 0 && chmod(folder.path, folderMode) == 0)
        for role: FilesInUse.Role? in [nil, .key, .database] {
            try make(0o666, owner: 12_345, group: 12_345)
            try replace(as: role, mode: 0o600)
            #expect(try access(path) == [0, 0, 0o600])
        }
    }

    @Test(.enabled(if: geteuid() == 0, "Only root can make a file of a group to which a user does not belong."))
    func aGroupThatCannotBeKeptIsNotReplacedByAnother() throws {
        try #require(chown(folder.path, 12_345, 12_345) == 0 && chmod(folder.path, 0o755) == 0)
        try make(0o660, owner: 12_345, group: 777)
        #expect(try Probe("replace", path, "12345").finish() == ["ok"])
        #expect(try access(path) == [12_345, 12_345, 0o600])
    }

    @Test func onlyARegularFileOfTheCallerIsReplaced() throws {
        try make(0o600)
        let others = ["link", "loop", "folder", "pipe"].map(folder.file)
        symlink("file", others[0])
        symlink("loop", others[1])
        mkdir(others[2], 0o700)
        mkfifo(others[3], 0o600)
        for other in others + [folder.path + "/", folder.path + "/."] {
            #expect(number { () throws(FileFailure) in _ = try FileDraft(of: FilePath(other)) } == EISDIR)
        }
        #expect(try bytes(of: path) == Data("old".utf8))
        #expect(try folder.names() == ["file", "folder", "link", "loop", "pipe"])
    }

    /// Neither the file to which a planted link leads nor another name of the replaced file changes.
    @Test func nothingIsWrittenThroughALink() throws {
        try make(0o600)
        let (link, name) = (folder.file("link"), folder.file("name"))
        symlink("file", link)
        try #require(Glibc.link(path, name) == 0)
        for place in [link, name] {
            let draft = try FileDraft(of: FilePath(place), as: .key)
            try draft.write(Array("new".utf8))
            try draft.replace()
            #expect(try bytes(of: place) == Data("new".utf8))
            #expect(try bytes(of: path) == Data("old".utf8))
        }
    }

    @Test func aDraftThatIsNotFinishedLeavesNothing() throws {
        try make(0o600)
        do {
            let draft = try FileDraft(of: FilePath(path))
            try draft.write(Array("new".utf8))
            #expect(try folder.names().count == 2)
            #expect(try mode(of: draft.path.shown) == 0o600)
        }
        #expect(try folder.names() == ["file"])
        #expect(try bytes(of: path) == Data("old".utf8))
    }

    @Test func aPlacedFileReplacesNothing() throws {
        let draft = try FileDraft(of: FilePath(path))
        try make(0o600)
        #expect(number { () throws(FileFailure) in try draft.place() } == EEXIST)
        #expect(try bytes(of: path) == Data("old".utf8))
        unlink(path)
        try FileDraft(of: FilePath(path)).place()
        #expect(try bytes(of: path).isEmpty)
        #expect(try access(path) == [geteuid(), getegid(), 0o600])
    }

    @Test func aFullDiskIsReported() throws {
        let draft = try FileDraft(of: FilePath(path))
        try #require(dup2(open("/dev/full", O_WRONLY), draft.descriptor) >= 0)
        #expect(number { () throws(FileFailure) in try draft.write([1]) } == ENOSPC)
    }

    @Test func aNameMayHaveTheGreatestLength() throws {
        let name = String(repeating: "n", count: 255)
        let draft = try FileDraft(of: FilePath(folder.file(name)))
        try draft.replace()
        #expect(try folder.names() == [name])
        let longer = FilePath(folder.file(name + "n"))
        #expect(number { () throws(FileFailure) in try FileDraft(of: longer).replace() } == ENAMETOOLONG)
        #expect(try folder.names() == [name])
    }

    // MARK: In a folder of others

    /// Each way in which the owner of the folder can put another file at the name of a draft.
    enum Swap: CaseIterable, Sendable {
        case link, hardLink, rename

        func put(_ other: String, inPlaceOf draft: FilePath) {
            let name = draft.shown
            Glibc.rename(name, name + ".old")
            switch self {
            case .link: symlink(other, name)
            case .hardLink: Glibc.link(other, name)
            case .rename: Glibc.rename(other, name)
            }
        }
    }

    /// A database of the user of this process, and what is in it.
    private func victim() throws -> (path: String, contents: Data) {
        let path = folder.file("victim")
        try RawDatabase(path).run("CREATE TABLE precious (x); INSERT INTO precious VALUES (1)")
        return try (path, bytes(of: path))
    }

    private func expectForeign(_ body: () throws -> Void) throws {
        #expect(try #require(throws: StorageError.self, performing: body).kind == .foreignOwner)
    }

    @Test(arguments: Swap.allCases) func nothingIsCopiedIntoAnotherFileInPlaceOfTheDraft(swap: Swap) throws {
        let victim = try victim()
        try CounterStore.open(folder.file("store")).countUp("shared")
        let draft = try FileDraft(of: FilePath(path))
        swap.put(victim.path, inPlaceOf: draft.path)
        let store = try SQLiteConnection(path: FilePath(folder.file("store")))
        try expectForeign { try store.copy(to: draft) { _, _ in } }
        let place = swap == .rename ? draft.path.shown : victim.path
        #expect(try withExtendedLifetime(draft) { try bytes(of: place) } == victim.contents)
    }

    @Test(arguments: Swap.allCases) func noOtherFileIsOpenedInPlaceOfTheDraft(swap: Swap) throws {
        _ = try CounterStore.open(path)
        let other = folder.file("other")
        _ = try CounterStore.open(other)
        let identity = try #require(FileIdentity(FilePath(path)))
        func open() throws {
            _ = try Store(
                path: FilePath(path),
                identity: identity,
                existingOnly: true,
                wait: 0,
                migrations: CounterStore.migrations
            )
        }
        try open()
        swap.put(other, inPlaceOf: FilePath(path))
        try expectForeign(open)
    }

    @Test(arguments: Swap.allCases) func anotherFileInPlaceOfTheDraftIsNotPutInItsPlace(swap: Swap) throws {
        let victim = try victim()
        let drafts = try [FileDraft(of: FilePath(path)), FileDraft(of: FilePath(path))]
        for (draft, put) in zip(drafts, [FileDraft.place, FileDraft.replace]) {
            swap.put(victim.path, inPlaceOf: draft.path)
            #expect(number { () throws(FileFailure) in try put(draft)() } == ESTALE)
            #expect(FileIdentity(FilePath(path)) == nil)
            if swap == .rename { Glibc.rename(draft.path.shown, victim.path) }
        }
    }

    @Test func aKeyIsForItsOwnerOnlyWhateverTheModeOfThePresentOne() throws {
        for role: FilesInUse.Role in [.key, .nextKey, .counter] {
            try make(0o666)
            try replace(as: role)
            #expect(try access(path) == [geteuid(), getegid(), 0o600])
        }
    }

    /// The owner of the folder gives the name to a file of root that all may use.
    @Test(.enabled(if: geteuid() == 0, "Only root works in the folders of others."), arguments: [0, 12_345] as [uid_t])
    func aLinkOfTheFoldersOwnerDoesNotSayWhoMayUseTheFile(owner: uid_t) throws {
        try #require(chown(folder.path, 12_345, 12_345) == 0 && chmod(folder.path, 0o755) == 0)
        try make(0o666, owner: owner, group: 777)
        try #require(link(path, folder.file("name")) == 0)
        let draft = try FileDraft(of: FilePath(path), as: .database)
        try draft.replace()
        #expect(try access(path) == [owner, 777, 0o600])
        // As well as by renaming.
        if owner == 0 {
            try #require(rename(folder.file("name"), path) == 0)
            try replace(as: .database)
            #expect(try access(path) == [0, 777, 0o600])
        }
    }

    @Test func aFileOfAStoreThatWasOpenedMeanwhileIsNotReplaced() throws {
        let draft = try FileDraft(of: FilePath(path))
        let store = try CounterStore.open(path)
        let identity = FileIdentity(FilePath(path))
        #expect(number { () throws(FileFailure) in try draft.replace() } == FileFailure.inUseNumber)
        #expect(FileIdentity(FilePath(path)) == identity)
        try store.countUp("shared")
    }

    /// The system neither links nor renames a file that may only be appended to. The first is as on a file system without links.
    @Test(.enabled(if: FileDraftTests.mayOnlyAppend(true, nil), "This user or this file system has no such files."))
    func aFailedPlacementLeavesNothingAtTheName() throws {
        let draft = try FileDraft(of: FilePath(path))
        try #require(Self.mayOnlyAppend(true, draft.descriptor))
        let descriptor = dup(draft.descriptor)
        defer { close(descriptor) }
        #expect(number { () throws(FileFailure) in try draft.place() } == EPERM)
        #expect(FileIdentity(FilePath(path)) == nil)
        #expect(Self.mayOnlyAppend(false, descriptor))
    }

    /// Sets whether a file may only be appended to; nil for a file that is made for the question. False if that cannot be set.
    private static func mayOnlyAppend(_ only: Bool, _ descriptor: Int32?) -> Bool {
        guard let descriptor else {
            guard let folder = try? TemporaryFolder() else { return false }
            let file = open(folder.file("file"), O_RDWR | O_CREAT, 0o600)
            defer { close(file) }
            return mayOnlyAppend(true, file) && mayOnlyAppend(false, file)
        }
        // FS_IOC_GETFLAGS, FS_IOC_SETFLAGS and FS_APPEND_FL, which Swift does not import.
        var flags: Int32 = 0
        guard ioctl(descriptor, 0x8008_6601, &flags) == 0 else { return false }
        flags = only ? flags | 0x20 : flags & ~0x20
        return ioctl(descriptor, 0x4008_6602, &flags) == 0
    }
}
