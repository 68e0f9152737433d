import Kinfolk

/// `discovery/private`: the messages of private discovery (`docs/private-discovery.md`), as bytes.
enum PrivateMessages {
    private static let type = "application/octet-stream"

    static func answer(_ call: Call) throws(WebError) -> WebAnswer {
        guard call.caller.mayDiscover else { throw Users.refusal }
        let answer = try calling { () throws(KinfolkError) in try call.session.answer(call.body) }
        let headers = [("content-type", type)] + WebResponse.privateHeaders
        return .response(WebResponse(headers: headers, body: .bytes(answer)))
    }
}
