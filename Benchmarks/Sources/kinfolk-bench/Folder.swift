import Glibc

/// A temporary folder for the stores and files of a run. It stands where the store will in use: on a disk.
struct Folder {
    let path: String

    init() throws {
        let base = getenv("KINFOLK_BENCH_FOLDER").map { String(cString: $0) } ?? "/var/tmp"
        var template = Array("\(base)/kinfolk-bench-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure(reason: "There is no room for a temporary folder in \(base).") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    func write(_ text: String, to name: String) throws -> String {
        let path = file(name)
        guard let file = fopen(path, "w") else { throw Failure(reason: "A file cannot be written.") }
        defer { fclose(file) }
        guard fputs(text, file) >= 0 else { throw Failure(reason: "A file cannot be written.") }
        return path
    }

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

struct Failure: Error {
    let reason: String
}
