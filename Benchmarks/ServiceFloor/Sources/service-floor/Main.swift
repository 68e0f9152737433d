import Hummingbird
import Logging
import NIOCore

/// Answers that do nothing: the floor of each request to the network service.
///
/// usage: service-floor PORT
@main
struct Main {
    static func main() async throws {
        guard CommandLine.arguments.count == 2, let port = Int(CommandLine.arguments[1]) else {
            print("usage: service-floor PORT")
            return
        }
        let streams = Streams()
        let router = Router()
        router.get("empty") { _, _ in HTTPResponse.Status.ok }
        router.post("empty") { _, _ in HTTPResponse.Status.ok }
        router.get("events") { _, _ in
            let events = await streams.open()
            return Response(
                status: .ok,
                headers: [.contentType: "text/event-stream; charset=utf-8"],
                body: ResponseBody(asyncSequence: events)
            )
        }
        router.post("write") { request, _ in
            let body = try await request.body.collect(upTo: 1 << 20)
            await streams.send(body)
            return HTTPResponse.Status.ok
        }
        let application = Application(
            router: router,
            configuration: .init(address: .hostname("127.0.0.1", port: port)),
            logger: quietLogger
        )
        try await application.runService()
    }

    /// Without a line for the start.
    private static var quietLogger: Logger {
        var logger = Logger(label: "service-floor")
        logger.logLevel = .error
        return logger
    }
}
