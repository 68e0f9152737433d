import Kinfolk
import KinfolkJSON

/// Reads a query dictionary.
struct QueryReader {
    let values: ValueReader
    let schema: ContainerSchema

    func query(_ members: Members) throws(WebError) -> Query {
        let type = try members.requiredText("recordType")
        let fields = schema.types[type]?.fields ?? [:]
        let filters = try members.listOrOne("filterBy") { json throws(WebError) in
            try FilterReader(values: values, fields: fields).predicate(Members(json))
        }
        let order = try members.listOrOne("sortBy") { json throws(WebError) in try descriptor(Members(json)) }
        return try calling { () throws(KinfolkError) in
            try Query(type, where: .and(filters ?? []), sortedBy: order ?? [])
        }
    }

    private func descriptor(_ members: Members) throws(WebError) -> QuerySortDescriptor {
        let field = try QueryReader.field(members)
        let isAscending = try members.flag("ascending") ?? true
        if let centre = try members.object("relativeLocation") {
            guard isAscending else {
                throw WebError(.badRequest, "Records are sorted by distance from the nearest to the farthest only.")
            }
            guard let value = centre["value"] else { throw .missing("value").within("relativeLocation") }
            let location: Location
            do throws(WebError) { location = try values.location(value) } catch {
                throw error.within("relativeLocation")
            }
            return .distance(field, from: location)
        }
        return isAscending ? .ascending(field) : .descending(field)
    }

    /// The name of a field in a filter or sort descriptor, as the library has it.
    static func field(_ members: Members) throws(WebError) -> String {
        guard let name = try members.firstText("fieldName", "systemFieldName") else { throw .missing("fieldName") }
        // The only name of the manual that the library spells in another way.
        return name == "___recordId" ? "recordName" : name
    }
}
