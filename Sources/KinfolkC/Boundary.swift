import CKinfolk
import Glibc
import Kinfolk
import KinfolkFiles
import KinfolkStorage

// The parts that all functions of the C API share. They turn errors into statuses, objects into handles, and C's texts and bytes
// into Swift's. No other file of KinfolkC uses `Unmanaged`.

/// Runs a call. Turns an error into a status, and its reason into the message of this thread.
func attempt(_ body: () throws(KinfolkError) -> Void) -> kinfolk_status {
    do {
        try body()
        return KINFOLK_OK
    } catch {
        let record = error.serverRecord.map { makeHandle(RecordHandle($0)) }
        error.reason.withCString { ckinfolk_last_error_set($0, error.retryAfter ?? 0, error.isInDoubt, record) }
        return kinfolk_status(UInt32(bitPattern: error.code.rawValue))
    }
}

// MARK: Handles

/// The object behind a handle, to read data that it holds in memory. This is allowed in a forked child, too.
func peek<Object: Handle>(_ handle: OpaquePointer?, as _: Object.Type) -> Object? {
    handle.map { Unmanaged<Object>.fromOpaque(UnsafeRawPointer($0)).takeUnretainedValue() }
}

/// The object behind a handle. Throws in a forked child.
func object<Object: Handle>(_ handle: OpaquePointer?, as _: Object.Type) throws(KinfolkError) -> Object {
    guard let object = peek(handle, as: Object.self) else { throw KinfolkError.null }
    guard !object.isInherited else {
        throw KinfolkError(
            .serviceUnavailable,
            "This handle was made before a fork. Open the service again in the child process."
        )
    }
    return object
}

/// A handle that keeps the object until ``freeHandle(_:as:)``.
func makeHandle(_ object: some Handle) -> OpaquePointer {
    OpaquePointer(Unmanaged.passRetained(object).toOpaque())
}

func freeHandle<Object: Handle>(_ handle: OpaquePointer?, as _: Object.Type) {
    guard let handle else { return }
    Unmanaged<Object>.fromOpaque(UnsafeRawPointer(handle)).release()
}

// MARK: Inputs

/// A text that may not be NULL.
func text(_ pointer: UnsafePointer<CChar>?) throws(KinfolkError) -> String {
    guard let pointer else { throw KinfolkError.null }
    guard let text = String(validatingCString: pointer) else {
        throw KinfolkError.notUTF8
    }
    return text
}

/// A text of a known length, which may hold NULs.
func text(_ pointer: UnsafePointer<CChar>?, _ length: Int) throws(KinfolkError) -> String {
    let start = UnsafeRawPointer(pointer)?.assumingMemoryBound(to: UInt8.self)
    let bytes = try bytes(start, length, atMost: Record.maximumSize)
    guard let text = String(validating: bytes, as: UTF8.self) else { throw KinfolkError.notUTF8 }
    return text
}

/// A path that may not be NULL: bytes as the file system has them, or the address of a server.
func path(_ pointer: UnsafePointer<CChar>?) throws(KinfolkError) -> FilePath {
    guard let pointer else { throw KinfolkError.null }
    return FilePath(cString: pointer)
}

/// The UTF-8 of a text that may not be NULL, without a copy.
func withText<Result>(
    _ pointer: UnsafePointer<CChar>?,
    _ body: (Span<UInt8>) throws(KinfolkError) -> Result
) throws(KinfolkError) -> Result {
    guard let pointer else { throw KinfolkError.null }
    let start = UnsafeRawPointer(pointer).assumingMemoryBound(to: UInt8.self)
    let bytes = UnsafeBufferPointer(start: start, count: strlen(pointer))
    guard (try? UTF8Span(validating: bytes.span)) != nil else { throw KinfolkError.notUTF8 }
    return try body(bytes.span)
}

/// Bytes that may be NULL if there are none.
func bytes(
    _ pointer: UnsafePointer<UInt8>?,
    _ length: Int,
    atMost limit: Int = Int(Int32.max)
) throws(KinfolkError) -> UnsafeRawBufferPointer {
    guard (0...limit).contains(length) else {
        throw KinfolkError(.limitExceeded, "At most \(limit) bytes are accepted here.")
    }
    guard pointer != nil || length == 0 else { throw KinfolkError.null }
    return UnsafeRawBufferPointer(start: pointer, count: length)
}

/// An array that may be NULL if it is empty.
func array<Element>(
    _ pointer: UnsafePointer<Element>?,
    _ count: Int
) throws(KinfolkError) -> UnsafeBufferPointer<Element> {
    guard (0...Record.maximumSize).contains(count) else {
        throw KinfolkError(.limitExceeded, "A list has at most \(Record.maximumSize) values.")
    }
    guard pointer != nil || count == 0 else { throw KinfolkError.null }
    return UnsafeBufferPointer(start: pointer, count: count)
}

/// How many entries a page may have. A `size_t` above `Int.max` arrives as a negative number, and means no limit.
func pageSize(_ limit: Int) -> Int { limit < 0 ? .max : limit }

/// Memory of the caller that a call fills. It may be NULL if nothing fits.
func space(
    _ pointer: UnsafeMutablePointer<UInt8>?,
    _ capacity: Int
) throws(KinfolkError) -> UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(mutating: try bytes(pointer, capacity))
}

// MARK: Callbacks

/// Reports progress to the caller's function, if there is one. The function may end the call.
func tell(
    _ progress: kinfolk_progress_fn?,
    _ done: Int,
    of total: Int,
    _ context: UnsafeMutableRawPointer?
) throws(KinfolkError) {
    guard let progress else { return }
    guard progress(UInt64(clamping: done), UInt64(clamping: total), context) else { throw .cancelled }
}

// MARK: Outputs

/// An output that may not be NULL. It is checked before the call does anything, so that a call without it has no effect.
func output<Value>(_ pointer: UnsafeMutablePointer<Value>?) throws(KinfolkError) -> UnsafeMutablePointer<Value> {
    guard let pointer else { throw KinfolkError.null }
    return pointer
}

/// A path that the caller frees.
func copied(_ path: FilePath) throws(KinfolkError) -> UnsafeMutablePointer<CChar> {
    guard let copy = ckinfolk_output_copy(path.cString, path.cString.count) else { throw KinfolkError.noMemory }
    return copy.assumingMemoryBound(to: CChar.self)
}

/// A text that the caller frees.
func copied(_ text: String) throws(KinfolkError) -> UnsafeMutablePointer<CChar> {
    let copy = text.withCString { ckinfolk_output_copy($0, text.utf8.count + 1) }
    guard let copy else { throw KinfolkError.noMemory }
    return copy.assumingMemoryBound(to: CChar.self)
}

/// Bytes that the caller frees; nil if there are none.
func copied(_ bytes: [UInt8]) throws(KinfolkError) -> UnsafeMutablePointer<UInt8>? {
    guard !bytes.isEmpty else { return nil }
    let copy = bytes.withUnsafeBytes { ckinfolk_output_copy($0.baseAddress, $0.count) }
    guard let copy else { throw KinfolkError.noMemory }
    return copy.assumingMemoryBound(to: UInt8.self)
}

extension KinfolkError {
    static var noMemory: KinfolkError { KinfolkError(.internalError, "There is no memory.") }
    static var notUTF8: KinfolkError { KinfolkError(.invalidArgument, "A text is not valid UTF-8.") }
    static var innerNUL: KinfolkError {
        KinfolkError(
            .invalidArgument,
            "A text holds U+0000, so its length is needed: read it by kinfolk_value_get_strings."
        )
    }
    static var otherType: KinfolkError { KinfolkError(.invalidArgument, "The value has another type.") }
    static var null: KinfolkError { KinfolkError(.invalidArgument, "A required argument is NULL.") }
}
