public import CKinfolk
import Glibc
import Kinfolk

/// A service behind a handle.
final class ServiceHandle: Handle, @unchecked Sendable {
    let service: Service

    init(_ service: Service) { self.service = service }
}

@_cdecl("kinfolk_service_open") @implementation
public func kinfolk_service_open(
    _ path: UnsafePointer<CChar>?,
    _ options: UnsafePointer<kinfolk_open_options>?,
    _ service: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let service = try output(service)
        let path = try KinfolkC.path(path)
        let options = try checked(options)
        let opened = try Service.open(
            path,
            key: keySource(options),
            existingOnly: options.existing_only,
            readOnly: options.read_only,
            wait: wait(options),
            memory: memoryLimits(options),
            requiresLockedMemory: options.require_locked_memory
        )
        service.pointee = makeHandle(ServiceHandle(opened))
    }
}

@_cdecl("kinfolk_store_accept_older") @implementation
public func kinfolk_store_accept_older(
    _ path: UnsafePointer<CChar>?,
    _ options: UnsafePointer<kinfolk_open_options>?,
    _ was_older: UnsafeMutablePointer<Bool>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let path = try KinfolkC.path(path)
        let options = try checked(options)
        let wasOlder = try Service.acceptOlder(path, key: keySource(options), wait: wait(options))
        was_older?.pointee = wasOlder
    }
}

func checked(_ options: UnsafePointer<kinfolk_open_options>?) throws(KinfolkError) -> kinfolk_open_options {
    let options = try known(options)
    guard !options.wait.isNaN else { throw KinfolkError(.invalidArgument, "The wait is not a number.") }
    return options
}

func wait(_ options: kinfolk_open_options) -> Double { options.wait == 0 ? 30 : max(options.wait, 0) }

private func memoryLimits(_ options: kinfolk_open_options) -> MemoryLimits {
    let standard = MemoryLimits.standard
    return MemoryLimits(
        pageCache: options.page_cache == 0 ? standard.pageCache : Int(options.page_cache),
        directoryFilters: options.directory_filters == 0 ? standard.directoryFilters : Int(options.directory_filters)
    )
}

/// The options in the present version of the struct. A caller with an older version gives only the first fields.
func known(_ options: UnsafePointer<kinfolk_open_options>?) throws(KinfolkError) -> kinfolk_open_options {
    var known = kinfolk_open_options()
    guard let options else { return known }
    let bytes = UnsafeRawPointer(options)
    let length = ckinfolk_options_length(bytes.load(as: UInt32.self))
    guard length > 0 else {
        throw KinfolkError(
            .invalidArgument,
            "The version of the options is unknown: initialize them with KINFOLK_OPEN_OPTIONS_INIT."
        )
    }
    withUnsafeMutableBytes(of: &known) { known in
        known.copyMemory(from: UnsafeRawBufferPointer(start: bytes, count: length))
    }
    return known
}

func keySource(_ options: kinfolk_open_options) throws(KinfolkError) -> KeySource {
    guard options.key_length == (options.key == nil ? 0 : Int(KINFOLK_KEY_LENGTH)) else {
        throw KinfolkError(.invalidArgument, "A service key must have \(KINFOLK_KEY_LENGTH) bytes.")
    }
    guard [options.key_file != nil, options.key != nil, options.passphrase != nil].count(where: \.self) <= 1 else {
        throw KinfolkError(.invalidArgument, "Only one of key, key file and passphrase may be given.")
    }
    if let file = options.key_file { return .file(try path(file)) }
    if let passphrase = options.passphrase {
        // The bytes are copied directly to locked memory.
        let bytes = UnsafeRawBufferPointer(start: passphrase, count: strlen(passphrase))
        guard (try? UTF8Span(validating: bytes.assumingMemoryBound(to: UInt8.self).span)) != nil else {
            throw KinfolkError.notUTF8
        }
        return .passphrase(bytes)
    }
    let key = try bytes(options.key, options.key_length)
    return options.key == nil ? .besideStore : .bytes(key)
}

@_cdecl("kinfolk_service_close") @implementation
public func kinfolk_service_close(_ service: OpaquePointer?) {
    peek(service, as: ServiceHandle.self)?.service.close()
}

@_cdecl("kinfolk_service_free") @implementation
public func kinfolk_service_free(_ service: OpaquePointer?) {
    kinfolk_service_close(service)
    freeHandle(service, as: ServiceHandle.self)
}

@_cdecl("kinfolk_service_is_key_memory_locked") @implementation
public func kinfolk_service_is_key_memory_locked(_ service: OpaquePointer?) -> Bool {
    peek(service, as: ServiceHandle.self)?.service.isKeyMemoryLocked ?? false
}
