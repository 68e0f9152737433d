/// Which of the threads that wait for the value of a ``Lock`` are woken by a change.
package enum Waking: Sendable {
    case all
    /// One, for a change that only one of them can use. All must wait for the same.
    case one
    /// None, for a change for which none of them waits.
    case none
}
