import Glibc

/// The place of the experiments' stores.
enum ScratchSpace {
    /// Puts temporary files into memory if there is room. Commits do not wait for a disk there, so more is tried in the same time.
    /// Power cuts are tested elsewhere.
    static func chooseMemory() {
        let folder = "/dev/shm"
        var space = statvfs()
        guard statvfs(folder, &space) == 0, access(folder, W_OK) == 0,
            UInt64(space.f_bavail) * UInt64(space.f_frsize) > 1 << 30
        else { return }
        // If the caller chose a folder, use it.
        setenv("TMPDIR", folder, 0)
    }
}
