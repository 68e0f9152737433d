extension KinfolkError {
    package static let fullDisk = "The disk is full."

    /// Whether the disk of the store is full. The store can then still be opened for reading only.
    package var isOfFullDisk: Bool { code == .serviceUnavailable && reason == KinfolkError.fullDisk }

    /// The error of a call that found damage: what it found, and what to do.
    package static func damaged(_ what: String) -> KinfolkError {
        KinfolkError(.storeCorrupt, "\(what)\(whatToDo)")
    }

    private static let whatToDo = " Find out how far it goes (kinfolk check), or restore a backup."

    /// Whether the store is damaged, and not, for example, another kind of file.
    package var isOfDamage: Bool { code == .storeCorrupt && reason.hasSuffix(KinfolkError.whatToDo) }

    /// The reason, without the advice.
    package var damage: String {
        isOfDamage ? String(reason.dropLast(KinfolkError.whatToDo.count)) : reason
    }
}
