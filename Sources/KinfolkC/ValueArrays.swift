import Kinfolk

/// The elements of a value as arrays of C. A value that is not a list has one element.
final class ValueArrays: @unchecked Sendable {
    let count: Int
    /// Numbers, booleans, latitudes or the sizes of assets; or the addresses of texts and bytes.
    let elements: UnsafeMutableRawPointer
    /// Longitudes; or the lengths of texts and bytes.
    let others: UnsafeMutableRawPointer
    /// Whether a text holds a NUL, at which it would end for C.
    let hasNUL: Bool
    /// The zones and the actions of references, whose names are the elements.
    private(set) var zones: ValueArrays?
    private(set) var actions: ValueArrays?
    /// The texts and bytes, each with a NUL behind it.
    private let content: UnsafeMutablePointer<UInt8>?

    convenience init(_ value: FieldValue) {
        switch value {
        case .string(let text): self.init([text.utf8])
        case .int64(let number): self.init([number])
        case .double(let number): self.init([number])
        case .boolean(let boolean): self.init([boolean])
        case .bytes(let bytes): self.init([bytes])
        case .date(let date): self.init([date.microseconds])
        case .location(let place): self.init([place.latitude], [place.longitude])
        case .reference(let id): self.init([id])
        case .stringList(let texts): self.init(texts.map(\.utf8))
        case .int64List(let numbers): self.init(numbers)
        case .doubleList(let numbers): self.init(numbers)
        case .booleanList(let booleans): self.init(booleans)
        case .bytesList(let bytes): self.init(bytes)
        case .dateList(let dates): self.init(dates.map(\.microseconds))
        case .locationList(let places): self.init(places.map(\.latitude), places.map(\.longitude))
        case .referenceList(let ids): self.init(ids)
        case .asset(let asset): self.init([asset.size])
        case .assetList(let assets): self.init(assets.map(\.size))
        }
    }

    private init<Element, Other>(
        _ elements: [Element],
        _ others: [Other] = [UInt8](),
        hasNUL: Bool = false,
        content: UnsafeMutablePointer<UInt8>? = nil
    ) {
        self.count = elements.count
        self.elements = ValueArrays.copy(elements)
        self.others = ValueArrays.copy(others)
        self.hasNUL = hasNUL
        self.content = content
    }

    private convenience init(_ references: [Reference]) {
        self.init(references.map(\.target.name.utf8))
        zones = ValueArrays(references.map(\.target.zone.utf8))
        actions = ValueArrays(references.map { $0.action.rawValue })
    }

    /// Texts or bytes.
    private convenience init<Bytes: Collection<UInt8>>(_ elements: [Bytes]) {
        let lengths = elements.map(\.count)
        let content = UnsafeMutablePointer<UInt8>.allocate(capacity: lengths.reduce(lengths.count, +) + 1)
        var addresses: [UnsafeMutablePointer<UInt8>] = []
        addresses.reserveCapacity(elements.count)
        var end = content
        var hasNUL = false
        for (element, length) in zip(elements, lengths) {
            addresses.append(end)
            let place = UnsafeMutableBufferPointer(start: end, count: length)
            _ = place.initialize(fromContentsOf: element)
            hasNUL = hasNUL || place.contains(0)
            end += length
            end.initialize(to: 0)
            end += 1
        }
        self.init(addresses, lengths, hasNUL: hasNUL, content: content)
    }

    /// A copy outside of Swift's arrays, which do not promise to stay at one address.
    private static func copy<Element>(_ array: [Element]) -> UnsafeMutableRawPointer {
        let memory = UnsafeMutablePointer<Element>.allocate(capacity: max(array.count, 1))
        memory.initialize(from: array, count: array.count)
        return UnsafeMutableRawPointer(memory)
    }

    deinit {
        elements.deallocate()
        others.deallocate()
        content?.deallocate()
    }
}
