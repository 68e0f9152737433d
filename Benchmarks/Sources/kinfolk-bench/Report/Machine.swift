import Glibc

/// The machine and the versions with which the figures were measured.
enum Machine {
    static var description: String {
        let cores = sysconf(Int32(_SC_NPROCESSORS_ONLN))
        return "\(processor), \(cores) cores, load \(load)"
    }

    /// Today, as year-month-day.
    static var date: String {
        var now = time(nil)
        var parts = tm()
        gmtime_r(&now, &parts)
        let digits = [Int(parts.tm_mon) + 1, Int(parts.tm_mday)].map { $0 < 10 ? "0\($0)" : "\($0)" }
        return "\(parts.tm_year + 1900)-\(digits[0])-\(digits[1])"
    }

    static func size(of path: String) -> Int? {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : nil
    }

    /// The load of the machine. Figures of a busy machine are less reliable.
    private static var load: String {
        var loads = [0.0]
        return getloadavg(&loads, 1) == 1 ? String((loads[0] * 10).rounded() / 10) : "unknown"
    }

    private static var processor: String {
        TextFile.value(of: "model name", in: "/proc/cpuinfo") ?? "unknown processor"
    }
}
