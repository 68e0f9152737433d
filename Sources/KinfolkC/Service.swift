public import CKinfolk
import Kinfolk

@_cdecl("kinfolk_service_open") @implementation
public func kinfolk_service_open(
    _ path: UnsafePointer<CChar>?,
    _ options: UnsafePointer<kinfolk_open_options>?,
    _ service: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let service = try output(service)
        let path = try text(path)
        let options =
            options?.pointee
            ?? kinfolk_open_options(
                version: 1,
                existing_only: false,
                key_file: nil,
                key: nil,
                key_length: 0,
                wait: 0
            )
        guard options.version == 1 else {
            throw KinfolkError(
                .invalidArgument,
                "The version of the options is not known: begin with "
                    + "KINFOLK_OPEN_OPTIONS_INIT."
            )
        }
        guard !options.wait.isNaN else { throw KinfolkError(.invalidArgument, "The wait is not a number.") }
        let opened = try Service.open(
            path,
            key: keySource(options),
            existingOnly: options.existing_only,
            wait: options.wait == 0 ? 30 : max(options.wait, 0)
        )
        service.pointee = makeHandle(ServiceHandle(opened))
    }
}

private func keySource(_ options: kinfolk_open_options) throws(KinfolkError) -> KeySource {
    guard options.key_length == (options.key == nil ? 0 : Int(KINFOLK_KEY_LENGTH)) else {
        throw KinfolkError(.invalidArgument, "A service key has \(KINFOLK_KEY_LENGTH) bytes.")
    }
    let key = try bytes(options.key, options.key_length)
    guard let file = options.key_file else {
        return options.key == nil ? .besideStore : .bytes(Array(key))
    }
    guard options.key == nil else {
        throw KinfolkError(.invalidArgument, "A key and a key file are both given.")
    }
    return .file(try text(file))
}

@_cdecl("kinfolk_service_free") @implementation
public func kinfolk_service_free(_ service: OpaquePointer?) {
    freeHandle(service, as: ServiceHandle.self)
}
