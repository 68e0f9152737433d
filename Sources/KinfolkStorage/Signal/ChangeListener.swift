import KinfolkThreads

/// Hears that others have changed a store. Used by one thread at a time, which polls its descriptor.
protocol ChangeListener: AnyObject {
    /// Whether changes of others are heard now.
    var isListening: Bool { get }

    /// The descriptor that becomes readable when something is heard; -1 if it does not listen.
    var descriptor: Int32 { get }

    /// When it is worthwhile to call ``start()`` again. Never while it listens, or if it can never listen.
    var nextStart: Deadline { get }

    /// Begins to listen, if possible. What happened before is not heard.
    func start()

    /// Takes everything that was heard. True if the store may have changed since the last call, also if that is unknown because
    /// it no longer listens.
    func takeChanges() -> Bool

    /// Closes its descriptors. The object is not used after that.
    func close()
}
