/// A part of a file that a caller reads.
struct ModelPart {
    let offset: Int
    let count: Int

    func bytes(of content: [UInt8]) -> [UInt8] { Array(content.dropFirst(offset).prefix(count)) }
}
