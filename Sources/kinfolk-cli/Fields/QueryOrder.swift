import ArgumentParser
import Kinfolk

/// `FIELD`, `-FIELD` or `FIELD:LATITUDE,LONGITUDE` on the command line: an order of records.
struct QueryOrder: ExpressibleByArgument {
    private let text: String

    init?(argument: String) { text = argument }

    func descriptor() throws(KinfolkError) -> QuerySortDescriptor {
        guard let colon = text.firstIndex(of: ":") else { return try QuerySortDescriptor(text) }
        let place = FieldText(String(text[text.index(after: colon)...]), of: "--sort")
        guard case .location(let location) = try place.value(of: .location) else {
            throw KinfolkError(.internalError, "A location has another type.")
        }
        return .distance(String(text[..<colon]), from: location)
    }
}
