import KinfolkWebServices
import NIOConcurrencyHelpers

/// Counts what arrives. The query `slow` delays each piece; a number ends the upload after so many bytes.
final class ProbeUpload: WebUpload {
    private let query: String
    private let count = NIOLockedValueBox(0)

    init(_ query: String) { self.query = query }

    func write(_ bytes: [UInt8], _ completion: @escaping @Sendable (WebResponse?) -> Void) {
        let total = count.withLockedValue { count in
            count += bytes.count
            return count
        }
        if total == bytes.count { Report.line("upload begins") }
        if let limit = Int(query), total > limit {
            return completion(WebResponse(status: 413, body: .bytes(Array("enough".utf8))))
        }
        query == "slow" ? Delay.run(milliseconds: 20) { completion(nil) } : completion(nil)
    }

    func finish(_ completion: @escaping @Sendable (WebResponse) -> Void) {
        completion(WebResponse(status: 201, body: .bytes(Array("\(count.withLockedValue { $0 })".utf8))))
    }

    func cancel() { Report.line("upload cancelled after \(count.withLockedValue { $0 })") }
}
