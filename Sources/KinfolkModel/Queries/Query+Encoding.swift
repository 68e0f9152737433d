extension Query {
    /// Bytes that are different for queries with different answers.
    package var encoded: [UInt8] {
        var writer = FieldWriter()
        writer.append(.string(recordType))
        writer.append(.string(predicate.text))
        for argument in predicate.arguments {
            writer.append(argument)
            for reference in argument.references { writer.append(.string(reference.target.zone)) }
        }
        for descriptor in sortDescriptors {
            writer.append(.boolean(descriptor.isAscending))
            switch descriptor.key {
            case .field(let field): writer.append(.string(field.name))
            case .distance(let field, let location):
                writer.append(.string(field.name))
                writer.append(.location(location))
            }
        }
        return writer.bytes
    }
}
