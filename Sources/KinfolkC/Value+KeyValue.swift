public import CKinfolk
import Kinfolk

/// Makes the handle of a value of the key-value store.
func makeValueHandle(_ value: PropertyListValue) -> OpaquePointer {
    if let compound = CompoundValue(value) { return makeHandle(ValueHandle(compound)) }
    let field: FieldValue =
        switch value {
        case .string(let value): .string(value)
        case .int64(let value): .int64(value)
        case .double(let value): .double(value)
        case .boolean(let value): .boolean(value)
        case .bytes(let value): .bytes(value)
        case .date(let value): .date(value)
        // They are compound.
        case .array, .dictionary: .stringList([])
        }
    return makeHandle(ValueHandle(field))
}

/// The value of a handle for the key-value store. A list is an array.
func keyValue(_ handle: OpaquePointer?) throws(KinfolkError) -> KeyValueElement {
    guard let handle = peek(handle, as: ValueHandle.self) else { throw KinfolkError.null }
    return try handle.keyValue()
}

extension PropertyListValue {
    /// The value of a field as one of the key-value store.
    init(_ value: FieldValue) throws(KinfolkError) {
        switch value {
        case .string(let value): self = .string(value)
        case .int64(let value): self = .int64(value)
        case .double(let value): self = .double(value)
        case .boolean(let value): self = .boolean(value)
        case .bytes(let value): self = .bytes(value)
        case .date(let value): self = .date(value)
        case .stringList(let values): self = .array(values.map { .string($0) })
        case .int64List(let values): self = .array(values.map { .int64($0) })
        case .doubleList(let values): self = .array(values.map { .double($0) })
        case .booleanList(let values): self = .array(values.map { .boolean($0) })
        case .bytesList(let values): self = .array(values.map { .bytes($0) })
        case .dateList(let values): self = .array(values.map { .date($0) })
        case .location, .reference, .asset, .locationList, .referenceList, .assetList:
            throw KinfolkError(.invalidArgument, "The key-value store has no locations, references and assets.")
        }
    }
}

/// Makes a handle from values of the caller.
private func make(
    _ texts: UnsafeBufferPointer<UnsafePointer<CChar>?>?,
    _ lengths: UnsafePointer<Int>?,
    _ values: UnsafePointer<OpaquePointer?>?,
    _ count: Int,
    _ handle: UnsafeMutablePointer<OpaquePointer?>
) throws(KinfolkError) {
    let values = try array(values, count)
    var elements: [(text: String, element: KeyValueElement)] = []
    elements.reserveCapacity(count)
    var length = 0
    for index in 0..<count {
        var text = ""
        if let texts {
            if let lengths {
                text = try KinfolkC.text(texts[index], lengths[index])
            } else {
                text = try KinfolkC.text(texts[index])
            }
        }
        length += text.utf8.count
        // Checked before more is copied: the array may hold the same large text a million times.
        guard length <= KeyValueStore.maximumSize else { throw Record.tooLarge }
        elements.append((text, try keyValue(values[index])))
    }
    handle.pointee = makeHandle(ValueHandle(try CompoundValue(elements, isDictionary: texts != nil)))
}

@_cdecl("kinfolk_value_new_array") @implementation
public func kinfolk_value_new_array(
    _ values: UnsafePointer<OpaquePointer?>?,
    _ count: Int,
    _ value: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in try make(nil, nil, values, count, output(value)) }
}

@_cdecl("kinfolk_value_new_dictionary") @implementation
public func kinfolk_value_new_dictionary(
    _ texts: UnsafePointer<UnsafePointer<CChar>?>?,
    _ lengths: UnsafePointer<Int>?,
    _ values: UnsafePointer<OpaquePointer?>?,
    _ count: Int,
    _ value: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in try make(array(texts, count), lengths, values, count, output(value)) }
}

/// An element of an array or a dictionary.
private func element(
    _ handle: OpaquePointer?,
    _ index: Int
) throws(KinfolkError) -> (text: String, value: PropertyListValue, in: CompoundValue) {
    guard let handle = peek(handle, as: ValueHandle.self) else { throw KinfolkError.null }
    guard case .compound(let value) = handle.content else { throw KinfolkError.otherType }
    guard value.elements.indices.contains(index) else {
        throw KinfolkError(.unknownItem, "The value has no such element.")
    }
    return (value.elements[index].text, value.elements[index].value, value)
}

@_cdecl("kinfolk_value_get_element") @implementation
public func kinfolk_value_get_element(
    _ value: OpaquePointer?,
    _ index: Int,
    _ element: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let element = try output(element)
        element.pointee = makeValueHandle(try KinfolkC.element(value, index).value)
    }
}

@_cdecl("kinfolk_value_get_text") @implementation
public func kinfolk_value_get_text(
    _ value: OpaquePointer?,
    _ index: Int,
    _ text: UnsafeMutablePointer<UnsafePointer<CChar>?>?,
    _ length: UnsafeMutablePointer<Int>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let text = try output(text)
        let element = try KinfolkC.element(value, index)
        guard element.in.isDictionary else { throw KinfolkError.otherType }
        guard length != nil || !element.text.utf8.contains(0) else { throw KinfolkError.innerNUL }
        text.pointee = element.in.texts.text(element.text)
        length?.pointee = element.text.utf8.count
    }
}
