import Glibc

/// What is used of OpenSSL's libcrypto, version 3. It is loaded when the first request is signed: most services never need it, and building a
/// second copy of BoringSSL for one function would take longer than building the service.
struct LibCrypto: Sendable {
    typealias DecodeKey =
        @convention(c) (
            UnsafeMutablePointer<OpaquePointer?>?, UnsafeMutablePointer<UnsafePointer<UInt8>?>, Int
        ) -> OpaquePointer?
    typealias Make = @convention(c) () -> OpaquePointer?
    typealias Free = @convention(c) (OpaquePointer?) -> Void
    typealias BeginVerifying =
        @convention(c) (
            OpaquePointer?, UnsafeMutablePointer<OpaquePointer?>?, OpaquePointer?, OpaquePointer?, OpaquePointer?
        ) -> Int32
    typealias Verify = @convention(c) (OpaquePointer?, UnsafePointer<UInt8>, Int, UnsafePointer<UInt8>, Int) -> Int32
    typealias ClearErrors = @convention(c) () -> Void

    /// Nil if the library is not installed.
    static let shared = LibCrypto()

    /// `d2i_PUBKEY`, `EVP_PKEY_free`, `EVP_MD_CTX_new`, `EVP_MD_CTX_free`, `EVP_sha256`, `EVP_DigestVerifyInit`, `EVP_DigestVerify` and
    /// `ERR_clear_error`.
    let decodeKey: DecodeKey
    let freeKey: Free
    let makeContext: Make
    let freeContext: Free
    let sha256: Make
    let beginVerifying: BeginVerifying
    let verify: Verify
    let clearErrors: ClearErrors

    private init?() {
        guard let library = dlopen("libcrypto.so.3", RTLD_NOW | RTLD_LOCAL) else { return nil }
        func function<Function>(_ name: String, _ type: Function.Type) -> Function? {
            dlsym(library, name).map { unsafeBitCast($0, to: type) }
        }
        guard let decodeKey = function("d2i_PUBKEY", DecodeKey.self),
            let freeKey = function("EVP_PKEY_free", Free.self),
            let makeContext = function("EVP_MD_CTX_new", Make.self),
            let freeContext = function("EVP_MD_CTX_free", Free.self), let sha256 = function("EVP_sha256", Make.self),
            let beginVerifying = function("EVP_DigestVerifyInit", BeginVerifying.self),
            let verify = function("EVP_DigestVerify", Verify.self),
            let clearErrors = function("ERR_clear_error", ClearErrors.self)
        else { return nil }
        (self.decodeKey, self.freeKey, self.makeContext, self.freeContext) = (
            decodeKey, freeKey, makeContext, freeContext
        )
        (self.sha256, self.beginVerifying, self.verify, self.clearErrors) = (
            sha256, beginVerifying, verify, clearErrors
        )
    }
}
