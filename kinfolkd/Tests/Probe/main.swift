import HTTPTransport
import KinfolkWebServices
import Logging
import NIOCore

struct R: Responder {
    func intake(for head: WebRequest.Head) -> WebIntake { .whole(limit: 1000) }
    func answer(_ request: WebRequest, _ completion: @escaping @Sendable (WebResponse) -> Void) { completion(WebResponse(body: .bytes(Array("hello".utf8)))) }
}
let server = try HTTPServer([.address(SocketAddress(ipAddress: "127.0.0.1", port: 8098))], responder: R(), threads: 2, logger: Logger(label: "probe"))
while true { _ = readLine() ; if !server.drain() { break } }
