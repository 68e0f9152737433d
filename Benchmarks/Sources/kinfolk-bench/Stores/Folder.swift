import Glibc

/// A folder for stores and files. It stands where a store will in use: on a disk.
struct Folder {
    let path: String

    init(existing path: String) { self.path = path }

    /// A folder, made if it is missing.
    init(_ path: String) throws {
        self.path = path
        guard mkdir(path, 0o755) == 0 || errno == EEXIST else { throw Failure("\(path) cannot be made.") }
    }

    /// A new folder for one run.
    static func scratch(in path: String) throws -> Folder {
        _ = try Folder(path)
        var template = Array("\(path)/run-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure("There is no room for a folder in \(path).") }
        return Folder(existing: String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    func write(_ text: String, to name: String) throws -> String {
        try File(file(name)).write(text)
        return file(name)
    }

    /// Removes the folder with its files.
    func remove() {
        guard let entries = opendir(path) else { return }
        while let entry = readdir(entries) {
            let name = withUnsafePointer(to: entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            unlink(file(name))
        }
        closedir(entries)
        rmdir(path)
    }
}
