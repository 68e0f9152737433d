extension Connection {
    /// Lets the commit of this write transaction end the waits of all processes (``StoreSignal``). It costs no round trip.
    ///
    /// A file needs no call: each commit is heard. A server that is not PostgreSQL itself notifies nobody.
    ///
    /// A PostgreSQL server commits transactions that notify one after the other, also those of other databases. So this is only for
    /// changes that somebody may wait for.
    package func signal() throws { try engine.signal() }
}
