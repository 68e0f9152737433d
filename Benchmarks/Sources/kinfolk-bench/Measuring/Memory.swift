/// The memory of this process, in bytes.
enum Memory {
    static var resident: Double { value("VmRSS") }
    /// The peak.
    static var peak: Double { value("VmHWM") }

    private static func value(_ name: String) -> Double {
        let text = TextFile.value(of: name, in: "/proc/self/status") ?? ""
        return (text.split(separator: " ").first.flatMap { Double($0) } ?? .nan) * 1_024
    }
}
