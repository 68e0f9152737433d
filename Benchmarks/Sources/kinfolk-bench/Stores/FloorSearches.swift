import Floors
import Kinfolk

/// The floor's connection to a ``SearchStore``.
final class FloorSearches {
    private let store: OpaquePointer
    private let searches: OpaquePointer

    init(_ store: OpaquePointer, _ owner: [UInt8], count: Int) {
        self.store = store
        searches = floor_searches_open(store, owner, SearchStore.type, count)
    }

    deinit {
        floor_searches_close(searches)
        floor_store_close(store)
    }

    /// Adds all records but the first.
    func fill() { floor_searches_fill(searches) }

    func count(_ pair: SearchStore.Pair) -> Int { floor_searches_count(searches, pair.few, pair.many) }
    func open(_ pair: SearchStore.Pair) -> Int { floor_searches_words(searches, pair.few, pair.many) }
    func open(within metres: Double, of centre: Location) -> Int {
        floor_searches_near(searches, [centre.latitude, centre.longitude], metres)
    }
}
