public import CKinfolk
import Kinfolk

/// What a schema text or a deployment changes, and the texts that C has borrowed from it.
final class SchemaChangesHandle: Handle, @unchecked Sendable {
    let changes: [SchemaChange]
    let texts = TextArena()

    init(_ difference: SchemaDifference) { changes = difference.changes }
}

@_cdecl("kinfolk_schema_export") @implementation
public func kinfolk_schema_export(
    _ handle: OpaquePointer?,
    _ text: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let text = try output(text)
        text.pointee = try copied(container(handle).exportSchema())
    }
}

// MARK: Changes

@_cdecl("kinfolk_schema_difference") @implementation
public func kinfolk_schema_difference(
    _ handle: OpaquePointer?,
    _ text: UnsafePointer<CChar>?,
    _ removes_missing: Bool,
    _ changes: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let changes = try output(changes)
        let difference = try container(handle).schemaDifference(KinfolkC.text(text), removesMissing: removes_missing)
        changes.pointee = makeHandle(SchemaChangesHandle(difference))
    }
}

@_cdecl("kinfolk_schema_apply") @implementation
public func kinfolk_schema_apply(
    _ handle: OpaquePointer?,
    _ text: UnsafePointer<CChar>?,
    _ removes_missing: Bool,
    _ changes: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let difference = try container(handle).applySchema(KinfolkC.text(text), removesMissing: removes_missing)
        changes?.pointee = makeHandle(SchemaChangesHandle(difference))
    }
}

@_cdecl("kinfolk_schema_deployment_difference") @implementation
public func kinfolk_schema_deployment_difference(
    _ handle: OpaquePointer?,
    _ changes: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let changes = try output(changes)
        changes.pointee = try makeHandle(SchemaChangesHandle(container(handle).deploymentDifference()))
    }
}

@_cdecl("kinfolk_schema_deploy") @implementation
public func kinfolk_schema_deploy(
    _ handle: OpaquePointer?,
    _ changes: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let difference = try container(handle).deploySchema()
        changes?.pointee = makeHandle(SchemaChangesHandle(difference))
    }
}

@_cdecl("kinfolk_schema_changes_count") @implementation
public func kinfolk_schema_changes_count(_ changes: OpaquePointer?) -> Int {
    peek(changes, as: SchemaChangesHandle.self)?.changes.count ?? 0
}

/// The change at an index; nil past the end.
private func change(_ handle: OpaquePointer?, _ index: Int) -> SchemaChange? {
    guard let changes = peek(handle, as: SchemaChangesHandle.self)?.changes, changes.indices.contains(index) else {
        return nil
    }
    return changes[index]
}

private func lend(_ handle: OpaquePointer?, _ text: String?) -> UnsafePointer<CChar>? {
    text.flatMap { peek(handle, as: SchemaChangesHandle.self)?.texts.text($0) }
}

@_cdecl("kinfolk_schema_changes_kind") @implementation
public func kinfolk_schema_changes_kind(_ changes: OpaquePointer?, _ index: Int) -> kinfolk_schema_change {
    kinfolk_schema_change(UInt32(bitPattern: change(changes, index)?.kind.rawValue ?? 0))
}

@_cdecl("kinfolk_schema_changes_record_type") @implementation
public func kinfolk_schema_changes_record_type(_ changes: OpaquePointer?, _ index: Int) -> UnsafePointer<CChar>? {
    lend(changes, change(changes, index)?.recordType)
}

@_cdecl("kinfolk_schema_changes_name") @implementation
public func kinfolk_schema_changes_name(_ changes: OpaquePointer?, _ index: Int) -> UnsafePointer<CChar>? {
    lend(changes, change(changes, index)?.name)
}

@_cdecl("kinfolk_schema_changes_detail") @implementation
public func kinfolk_schema_changes_detail(_ changes: OpaquePointer?, _ index: Int) -> UnsafePointer<CChar>? {
    lend(changes, change(changes, index)?.detail)
}

@_cdecl("kinfolk_schema_changes_sentence") @implementation
public func kinfolk_schema_changes_sentence(_ changes: OpaquePointer?, _ index: Int) -> UnsafePointer<CChar>? {
    lend(changes, change(changes, index)?.description)
}

@_cdecl("kinfolk_schema_changes_free") @implementation
public func kinfolk_schema_changes_free(_ changes: OpaquePointer?) {
    freeHandle(changes, as: SchemaChangesHandle.self)
}

// MARK: Fields

/// The indexes of C's flags; nil for the standard ones.
private func indexes(_ flags: UInt32) throws(KinfolkError) -> FieldIndexes? {
    if flags == KINFOLK_INDEX_STANDARD { return nil }
    guard flags < 8 else { throw KinfolkError(.invalidArgument, "The indexes of a field are unknown.") }
    return FieldIndexes(rawValue: Int64(flags))
}

private func fieldType(_ type: kinfolk_field_type) throws(KinfolkError) -> FieldType {
    guard let type = UInt8(exactly: type.rawValue).flatMap(FieldType.init) else {
        throw KinfolkError(.invalidArgument, "The field type is unknown.")
    }
    return type
}

@_cdecl("kinfolk_schema_add_field") @implementation
public func kinfolk_schema_add_field(
    _ handle: OpaquePointer?,
    _ record_type: UnsafePointer<CChar>?,
    _ field: UnsafePointer<CChar>?,
    _ type: kinfolk_field_type,
    _ indexes: UInt32
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let container = try container(handle)
        let indexes = try KinfolkC.indexes(indexes)
        try container.addField(text(field), type: fieldType(type), indexes: indexes, to: text(record_type))
    }
}

@_cdecl("kinfolk_schema_remove_field") @implementation
public func kinfolk_schema_remove_field(
    _ handle: OpaquePointer?,
    _ record_type: UnsafePointer<CChar>?,
    _ field: UnsafePointer<CChar>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in try container(handle).removeField(text(field), from: text(record_type)) }
}

@_cdecl("kinfolk_container_add_field") @implementation
public func kinfolk_container_add_field(
    _ handle: OpaquePointer?,
    _ field: UnsafePointer<CChar>?,
    _ type: kinfolk_field_type
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in try container(handle).addField(text(field), type: fieldType(type)) }
}

@_cdecl("kinfolk_container_remove_field") @implementation
public func kinfolk_container_remove_field(
    _ handle: OpaquePointer?,
    _ field: UnsafePointer<CChar>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in try container(handle).removeField(text(field)) }
}
