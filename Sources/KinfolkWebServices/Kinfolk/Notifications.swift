import Kinfolk

/// `notifications`: the notifications of the caller as server-sent events.
enum Notifications {
    private static let header = "last-event-id"

    static func stream(_ call: Call) throws(WebError) -> WebAnswer {
        let query = QueryItems(call.head.query)
        // A page cannot send the header with its first request.
        let last = call.head.header(header) ?? query["lastEventID"]
        guard let last else { return try stream(call, after: nil) }
        guard let id = NotificationWriter.id(last) else {
            throw WebError(.badRequest, "The ID of the last event is not one of this service.")
        }
        return try stream(call, after: id)
    }

    private static func stream(_ call: Call, after last: NotificationID?) throws(WebError) -> WebAnswer {
        let events = try NotificationEvents.start(of: call.caller, after: last, call.services)
        let headers = [("content-type", "text/event-stream; charset=utf-8"), ("x-accel-buffering", "no")]
        return .response(WebResponse(headers: headers + WebResponse.privateHeaders, body: .events(events)))
    }
}
