import Glibc

/// Where the experiments have their stores.
enum ScratchSpace {
    /// Has temporary files in memory, where there is room: commits do not wait for a disk there, and more is tried in the
    /// same time. What is on disk after a power cut is tried elsewhere.
    static func chooseMemory() {
        let folder = "/dev/shm"
        var space = statvfs()
        guard statvfs(folder, &space) == 0, access(folder, W_OK) == 0,
            UInt64(space.f_bavail) * UInt64(space.f_frsize) > 1 << 30
        else { return }
        // Whoever chose a folder gets it.
        setenv("TMPDIR", folder, 0)
    }
}
