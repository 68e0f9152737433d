import Glibc

/// A folder for stores and files. It is on a disk, like a store in use.
struct Folder {
    let path: String

    init(existing path: String) { self.path = path }

    /// Opens a folder, and makes it if it is missing.
    init(_ path: String) throws {
        self.path = path
        guard mkdir(path, 0o755) == 0 || errno == EEXIST else { throw Failure("\(path) cannot be made.") }
    }

    /// Makes a new folder for this process. Removes the folders of runs that were killed.
    static func scratch(in path: String) throws -> Folder {
        let folder = try Folder(path)
        for name in folder.names where name.hasPrefix("run-") {
            guard let process = Int32(name.dropFirst("run-".count)), kill(process, 0) != 0 else { continue }
            Folder(existing: folder.file(name)).remove()
        }
        return try Folder(folder.file("run-\(getpid())"))
    }

    static func removeFile(_ path: String) { unlink(path) }

    static func move(_ path: String, to other: String) throws {
        guard rename(path, other) == 0 else { throw Failure("\(other) cannot be made.") }
    }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    func write(_ text: String, to name: String) throws -> String {
        try File(file(name)).write(text)
        return file(name)
    }

    /// Removes the folder with its files.
    func remove() {
        for name in names { unlink(file(name)) }
        rmdir(path)
    }

    private var names: [String] {
        guard let entries = opendir(path) else { return [] }
        defer { closedir(entries) }
        var names: [String] = []
        while let entry = readdir(entries) {
            names.append(
                withUnsafePointer(to: entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
            )
        }
        return names
    }
}
