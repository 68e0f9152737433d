import KinfolkJSON

/// What an operation answers.
enum WebAnswer: Sendable {
    case json(JSON, status: Int = 200)
    case response(WebResponse)

    init(_ json: JSON, status: Int = 200) { self = .json(json, status: status) }

    var response: WebResponse {
        switch self {
        case .json(let json, let status): WebResponse(json, status: status)
        case .response(let response): response
        }
    }
}
