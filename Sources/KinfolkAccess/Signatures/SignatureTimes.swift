/// How long signatures of server keys are valid, in seconds.
package enum SignatureTimes {
    /// How far the date of a request may be from the clock of the service.
    package static let difference = 600.0
    /// How long after its date a signature is remembered: clocks of several services may differ as much again.
    package static let lifetime = 2 * difference
}
