#if DEBUG || KINFOLK_STEPS
import Glibc
#endif

/// Counts how often readers examine a byte, a character or an entry, so that tests can detect work that is not linear without a
/// clock.
///
/// Only debug builds and the library for fuzzers (`KINFOLK_STEPS`) count. Release builds contain none of this.
package enum ReadingSteps {
    #if DEBUG || KINFOLK_STEPS
    /// The steps of each thread.
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    package private(set) static var count: Int {
        get { Int(bitPattern: pthread_getspecific(key)) }
        set { pthread_setspecific(key, UnsafeRawPointer(bitPattern: newValue)) }
    }

    package static func add(_ steps: Int) { count &+= steps }

    /// How many steps `body` takes on this thread.
    package static func of(_ body: () throws -> Void) rethrows -> Int {
        let before = count
        try body()
        return count &- before
    }
    #endif

    /// The steps counted for checking an international label.
    package static var international: Int { 100 }

    /// The steps counted for opening an iconv converter, which may load a library.
    package static var converter: Int { 20_000 }

    /// Adds a number of steps.
    @inline(__always)
    package static func take(_ steps: @autoclosure () -> Int) {
        #if DEBUG || KINFOLK_STEPS
        add(steps())
        #endif
    }
}
