import Kinfolk

/// A reference to a record of the same zone.
struct ModelReference {
    let target: String
    let action: ReferenceAction
}
