import Glibc

/// What the figures come from.
enum Machine {
    static var description: String {
        let cores = sysconf(Int32(_SC_NPROCESSORS_ONLN))
        return "\(processor), \(cores) cores"
    }

    static func size(of path: String) -> Int? {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : nil
    }

    private static var processor: String {
        guard let file = fopen("/proc/cpuinfo", "r") else { return "unknown processor" }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 512)
        while fgets(&line, Int32(line.count), file) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            guard text.hasPrefix("model name"), let colon = text.firstIndex(of: ":") else { continue }
            return text[text.index(after: colon)...].split(separator: " ").joined(separator: " ")
                .split(separator: "\n").joined()
        }
        return "unknown processor"
    }
}
