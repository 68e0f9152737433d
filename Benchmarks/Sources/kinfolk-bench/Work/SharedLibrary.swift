import Glibc

/// `libkinfolk.so`, used only through its C API.
struct SharedLibrary {
    private let handle: UnsafeMutableRawPointer

    init(_ path: String) throws {
        guard let handle = dlopen(path, RTLD_NOW | RTLD_LOCAL) else { throw Failure("\(path) cannot be loaded.") }
        self.handle = handle
    }

    /// The function `kinfolk_<name>`, cast to the caller's type.
    func function<Function>(_ name: String) throws -> Function {
        guard let symbol = dlsym(handle, "kinfolk_" + name) else { throw Failure("kinfolk_\(name) is missing.") }
        return unsafeBitCast(symbol, to: Function.self)
    }

    func check(_ status: CInt) throws {
        guard status == 0 else { throw Failure("The library failed with status \(status).") }
    }

    /// A session of an account. It is never freed.
    func session(_ path: String, _ container: String, account: String) throws -> OpaquePointer? {
        typealias Handle = UnsafeMutablePointer<OpaquePointer?>
        let openService: @convention(c) (UnsafePointer<CChar>, UnsafeRawPointer?, Handle) -> CInt =
            try function("service_open")
        let openContainer: @convention(c) (OpaquePointer?, UnsafePointer<CChar>, Handle) -> CInt =
            try function("container_open")
        let openAccount: @convention(c) (OpaquePointer?, UnsafePointer<CChar>, Handle) -> CInt =
            try function("account_open")
        let openSession: @convention(c) (OpaquePointer?, OpaquePointer?, Handle) -> CInt = try function("session_open")
        var handles: (OpaquePointer?, OpaquePointer?, OpaquePointer?, OpaquePointer?)
        try check(openService(path, nil, &handles.0))
        try check(openContainer(handles.0, container, &handles.1))
        try check(openAccount(handles.0, account, &handles.2))
        try check(openSession(handles.1, handles.2, &handles.3))
        return handles.3
    }
}
