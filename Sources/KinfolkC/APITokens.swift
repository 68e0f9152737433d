public import CKinfolk
import Kinfolk

/// The API tokens of a container at one time.
final class APITokensHandle: Handle, @unchecked Sendable {
    let tokens: [APIToken]
    let texts = TextArena()

    init(_ tokens: [APIToken]) { self.tokens = tokens }
}

/// The lines of a text that may be NULL. A last line end adds no line.
private func lines(_ pointer: UnsafePointer<CChar>?) throws(KinfolkError) -> [String] {
    guard let pointer else { return [] }
    // Split as bytes: a carriage return and a line feed are one character.
    var lines = try text(pointer).utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines.map { String(Substring($0)) }
}

@_cdecl("kinfolk_api_token_create") @implementation
public func kinfolk_api_token_create(
    _ handle: OpaquePointer?,
    _ name: UnsafePointer<CChar>?,
    _ origins: UnsafePointer<CChar>?,
    _ return_urls: UnsafePointer<CChar>?,
    _ allows_discovery: Bool,
    _ token: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let token = try output(token)
        let created = try container(handle).createAPIToken(
            named: text(name),
            origins: lines(origins),
            returnURLs: lines(return_urls),
            allowsDiscovery: allows_discovery
        )
        token.pointee = try copied(created.token)
    }
}

@_cdecl("kinfolk_api_token_delete") @implementation
public func kinfolk_api_token_delete(
    _ handle: OpaquePointer?,
    _ name: UnsafePointer<CChar>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in try container(handle).deleteAPIToken(named: text(name)) }
}

@_cdecl("kinfolk_container_api_tokens") @implementation
public func kinfolk_container_api_tokens(
    _ handle: OpaquePointer?,
    _ tokens: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let tokens = try output(tokens)
        tokens.pointee = try makeHandle(APITokensHandle(container(handle).apiTokens()))
    }
}

// MARK: Contents of a list

private func token(_ handle: OpaquePointer?, _ index: Int) -> APIToken? {
    guard let tokens = peek(handle, as: APITokensHandle.self)?.tokens, tokens.indices.contains(index) else {
        return nil
    }
    return tokens[index]
}

private func lend(_ handle: OpaquePointer?, _ text: String?) -> UnsafePointer<CChar>? {
    guard let texts = peek(handle, as: APITokensHandle.self)?.texts else { return nil }
    return text.flatMap(texts.text)
}

@_cdecl("kinfolk_api_tokens_count") @implementation
public func kinfolk_api_tokens_count(_ tokens: OpaquePointer?) -> Int {
    peek(tokens, as: APITokensHandle.self)?.tokens.count ?? 0
}

@_cdecl("kinfolk_api_tokens_name") @implementation
public func kinfolk_api_tokens_name(_ tokens: OpaquePointer?, _ index: Int) -> UnsafePointer<CChar>? {
    lend(tokens, token(tokens, index)?.name)
}

@_cdecl("kinfolk_api_tokens_origins") @implementation
public func kinfolk_api_tokens_origins(_ tokens: OpaquePointer?, _ index: Int) -> UnsafePointer<CChar>? {
    lend(tokens, token(tokens, index)?.origins.joined(separator: "\n"))
}

@_cdecl("kinfolk_api_tokens_return_urls") @implementation
public func kinfolk_api_tokens_return_urls(_ tokens: OpaquePointer?, _ index: Int) -> UnsafePointer<CChar>? {
    lend(tokens, token(tokens, index)?.returnURLs.joined(separator: "\n"))
}

@_cdecl("kinfolk_api_tokens_allows_discovery") @implementation
public func kinfolk_api_tokens_allows_discovery(_ tokens: OpaquePointer?, _ index: Int) -> Bool {
    token(tokens, index)?.allowsDiscovery ?? false
}

@_cdecl("kinfolk_api_tokens_created_at") @implementation
public func kinfolk_api_tokens_created_at(_ tokens: OpaquePointer?, _ index: Int) -> Int64 {
    token(tokens, index)?.createdAt.microseconds ?? 0
}

@_cdecl("kinfolk_api_tokens_free") @implementation
public func kinfolk_api_tokens_free(_ tokens: OpaquePointer?) { freeHandle(tokens, as: APITokensHandle.self) }
