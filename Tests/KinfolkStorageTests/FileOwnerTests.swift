import Glibc
import KinfolkFiles
import Testing

@testable import KinfolkStorage

/// Whose files are trusted. `Tests/C/service.c` tests this with real files.
@Suite struct FileOwnerTests {
    private func folder(of owner: uid_t, mode: mode_t) -> stat {
        var folder = stat()
        folder.st_uid = owner
        folder.st_mode = S_IFDIR | mode
        return folder
    }

    @Test func filesOfTheUserAndOfRootAreTrusted() {
        #expect(FileOwner.isTrusted(1_000, user: 1_000, folder: nil))
        #expect(FileOwner.isTrusted(0, user: 1_000, folder: nil))
        #expect(FileOwner.isTrusted(0, user: 0, folder: nil))
    }

    @Test func filesOfAnotherUserAreNotTrusted() {
        for mode: mode_t in [0o700, 0o755, 0o777] {
            #expect(!FileOwner.isTrusted(1_001, user: 1_000, folder: folder(of: 1_001, mode: mode)))
            #expect(!FileOwner.isTrusted(1_001, user: 1_000, folder: folder(of: 1_000, mode: mode)))
        }
    }

    @Test func rootTrustsAUsersFilesInAFolderThatOnlyTheUserCanEnter() {
        #expect(FileOwner.isTrusted(1_000, user: 0, folder: folder(of: 1_000, mode: 0o700)))
        #expect(FileOwner.isTrusted(1_000, user: 0, folder: folder(of: 1_000, mode: 0o755)))
        for mode: mode_t in [0o775, 0o757, 0o1777] {
            #expect(!FileOwner.isTrusted(1_000, user: 0, folder: folder(of: 1_000, mode: mode)))
        }
        #expect(!FileOwner.isTrusted(1_000, user: 0, folder: folder(of: 0, mode: 0o755)))
        #expect(!FileOwner.isTrusted(1_000, user: 0, folder: folder(of: 1_001, mode: 0o755)))
        #expect(!FileOwner.isTrusted(1_000, user: 0, folder: nil))
    }
}
