/// Keys of 16 bytes that are looked up together, one after the other in memory.
package struct KeyList {
    static let width = 16

    private let bytes: UnsafeRawBufferPointer

    /// Keys that stay where they are for as long as this is used.
    package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var count: Int { bytes.count / KeyList.width }

    subscript(position: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes[position * KeyList.width..<(position + 1) * KeyList.width])
    }
}
