/// The exit status of the process, as in sysexits.h.
enum ExitStatus {
    /// The store cannot be used now (EX_UNAVAILABLE).
    static let unavailable: Int32 = 69
    /// The system refused something, such as an address to listen on (EX_OSERR).
    static let system: Int32 = 71
    /// The configuration is wrong (EX_CONFIG).
    static let configuration: Int32 = 78

    static let manual = """
         0  the service was stopped, and every request was answered
        64  the command line is wrong
        69  the store cannot be used now
        71  the system refused something, such as an address to listen on
        78  the configuration, or the store or key that it names, is wrong
        """
}
