import CKinfolk
import Kinfolk

/// How a query is answered, and the texts that C has borrowed from it.
final class ExplanationHandle: Handle, @unchecked Sendable {
    let explanation: QueryExplanation
    let texts = TextArena()

    init(_ explanation: QueryExplanation) { self.explanation = explanation }
}

private func read<Value>(_ handle: OpaquePointer?, _ property: KeyPath<QueryExplanation, Value>) -> Value? {
    peek(handle, as: ExplanationHandle.self)?.explanation[keyPath: property]
}

private func lend(
    _ handle: OpaquePointer?,
    _ indexes: KeyPath<QueryExplanation, [QueryExplanation.Index]>,
    _ index: Int
) -> UnsafePointer<CChar>? {
    guard let texts = peek(handle, as: ExplanationHandle.self)?.texts, let indexes = read(handle, indexes),
        indexes.indices.contains(index)
    else { return nil }
    return texts.text(indexes[index].description)
}

@_cdecl("kinfolk_explanation_index_count") @implementation
public func kinfolk_explanation_index_count(_ explanation: OpaquePointer?) -> Int {
    read(explanation, \.indexes)?.count ?? 0
}

@_cdecl("kinfolk_explanation_index") @implementation
public func kinfolk_explanation_index(_ explanation: OpaquePointer?, _ index: Int) -> UnsafePointer<CChar>? {
    lend(explanation, \.indexes, index)
}

@_cdecl("kinfolk_explanation_missing_count") @implementation
public func kinfolk_explanation_missing_count(_ explanation: OpaquePointer?) -> Int {
    read(explanation, \.missingIndexes)?.count ?? 0
}

@_cdecl("kinfolk_explanation_missing") @implementation
public func kinfolk_explanation_missing(_ explanation: OpaquePointer?, _ index: Int) -> UnsafePointer<CChar>? {
    lend(explanation, \.missingIndexes, index)
}

@_cdecl("kinfolk_explanation_exceeds_limit") @implementation
public func kinfolk_explanation_exceeds_limit(_ explanation: OpaquePointer?) -> Bool {
    read(explanation, \.exceedsLimit) ?? false
}

@_cdecl("kinfolk_explanation_evaluates_records") @implementation
public func kinfolk_explanation_evaluates_records(_ explanation: OpaquePointer?) -> Bool {
    read(explanation, \.evaluatesRecords) ?? false
}

@_cdecl("kinfolk_explanation_sorts_records") @implementation
public func kinfolk_explanation_sorts_records(_ explanation: OpaquePointer?) -> Bool {
    read(explanation, \.sortsRecords) ?? false
}

@_cdecl("kinfolk_explanation_entries_read") @implementation
public func kinfolk_explanation_entries_read(_ explanation: OpaquePointer?) -> Int {
    read(explanation, \.entriesRead) ?? 0
}

@_cdecl("kinfolk_explanation_records_opened") @implementation
public func kinfolk_explanation_records_opened(_ explanation: OpaquePointer?) -> Int {
    read(explanation, \.recordsOpened) ?? 0
}

@_cdecl("kinfolk_explanation_records_discarded") @implementation
public func kinfolk_explanation_records_discarded(_ explanation: OpaquePointer?) -> Int {
    read(explanation, \.recordsDiscarded) ?? 0
}

@_cdecl("kinfolk_explanation_free") @implementation
public func kinfolk_explanation_free(_ explanation: OpaquePointer?) {
    freeHandle(explanation, as: ExplanationHandle.self)
}
