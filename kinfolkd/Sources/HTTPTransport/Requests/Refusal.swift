import KinfolkWebServices
import NIOHTTP1

/// A request that the transport refuses by itself.
struct Refusal {
    let status: Int
    private let reason: String

    init(_ status: Int, _ reason: String) {
        self.status = status
        self.reason = reason
    }

    /// What NIO's decoder reports.
    init(_ error: HTTPParserError) {
        switch error {
        case .headerOverflow: self.init(431, "The headers are too large.")
        case .invalidVersion: self.init(400, "The version of HTTP is not supported.")
        default: self.init(400, "The request is malformed.")
        }
    }

    static let slowHead = Refusal(408, "The headers did not arrive in time.")
    static let slowBody = Refusal(408, "The body arrives too slowly.")
    static let largeBody = Refusal(413, "The body is too large.")
    static let noMemory = Refusal(503, "The service reads and sends too much at the moment.")

    /// In the form of the protocol's errors.
    var response: WebResponse {
        let uuid = Refusal.uuid(UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max))
        let code = status == 503 ? "TRY_AGAIN_LATER" : status == 429 ? "THROTTLED" : "BAD_REQUEST"
        let retry = status == 503 || status == 429
        let body =
            #"{"uuid":"\#(uuid)","serverErrorCode":"\#(code)","reason":"\#(reason)"\#(retry ? #","retryAfter":5"# : "")}"#
        var headers = [(name: "content-type", value: "application/json; charset=utf-8")] + WebResponse.privateHeaders
        if retry { headers.append(("retry-after", "5")) }
        return WebResponse(status: status, headers: headers, body: .bytes(Array(body.utf8)))
    }

    private static func uuid(_ high: UInt64, _ low: UInt64) -> String {
        func hex(_ number: UInt64, _ from: Int, _ to: Int) -> Substring {
            let digits = String(number, radix: 16)
            return (String(repeating: "0", count: 16 - digits.count) + digits).dropFirst(from).prefix(to - from)
        }
        let version = (high & ~0xf000) | 0x4000
        let variant = (low & ~(0b11 << 62)) | (0b10 << 62)
        return
            "\(hex(version, 0, 8))-\(hex(version, 8, 12))-\(hex(version, 12, 16))-\(hex(variant, 0, 4))-\(hex(variant, 4, 16))"
    }
}
