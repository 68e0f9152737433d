import Foundation
import Glibc
import KinfolkFiles
import TestSupport
import Testing

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
}
