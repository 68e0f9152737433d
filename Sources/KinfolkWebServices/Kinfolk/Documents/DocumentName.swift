import Kinfolk
import KinfolkJSON

/// How a client names a document: by its ID, or by its path.
enum DocumentName {
    case id(String)
    case path(String)

    init(_ json: JSON) throws(WebError) {
        let members = try Members(json)
        if let id = try members.text("documentID") {
            self = .id(id)
        } else {
            self = .path(try members.requiredText("path"))
        }
    }

    private var member: (String, JSON) {
        switch self {
        case .id(let id): ("documentID", .string(id))
        case .path(let path): ("path", .string(path))
        }
    }

    func document(in documents: Documents) throws(KinfolkError) -> Document {
        switch self {
        case .id(let id): try documents.document(id: id)
        case .path(let path): try documents.document(at: path)
        }
    }

    /// An error of the document.
    func json(_ error: WebError) -> JSON { .object([member] + error.members) }
}
