package import KinfolkCrypto
package import KinfolkModel
package import KinfolkStorage

extension Value {
    package static func tag(_ tag: Tag) -> Value {
        let (first, second) = tag.words
        return .sixteenBytes(first, second)
    }

    package static func id(_ id: RandomID) -> Value { .tag(id.tag) }
}
