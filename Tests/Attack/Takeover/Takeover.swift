import Kinfolk

/// Nobody takes over another person's verified address by guessing codes, or immediately by proving it.
struct Takeover: Experiment {
    let name = "takeover"
    let promise = "takeover"

    /// The most mails that an address gets in any 24 hours, and the most guesses that these allow.
    static let mails = 5
    static let guesses = 25

    func run(_ length: Length) throws -> [Finding] {
        let guessers = CodeGuessers(length)
        let claims = ClaimAttempts()
        return [
            try guessers.inALoop(),
            try guessers.withRotationsAndRestarts(),
            try guessers.forDays(),
            try guessers.inTwoProcesses(),
            try guessers.againstTheOwner(),
            try claims.withoutNotice(),
            try claims.withoutWaiting(),
            try claims.inSilence(),
            try claims.thatAreRefused(),
            try claims.erasedAndMadeAnew(),
            try claims.byTwo(),
            try claims.byTheHostsWord(),
        ]
    }

    /// Judges whether a guesser stayed within the bounds of the address.
    static func judge(_ tried: String, _ haul: Haul, days: Int = 1) -> Finding {
        let (mostMails, mostGuesses): (Int, Int) = (days * mails, days * guesses)
        let isWithin: Bool = (1...mostMails).contains(haul.mails) && haul.guesses <= mostGuesses
        return Finding(
            "\(tried): \(haul.accounts.grouped) accounts, \(haul.requests.grouped) requests",
            "\(haul.mails) mails, \(haul.guesses) guesses at their codes; bound \(mostMails) and \(mostGuesses)",
            isHeld: isWithin && !haul.hasAddress
        )
    }

    /// The result of an attacker who requested codes without reading the mails.
    struct Haul {
        var accounts = 0
        var requests = 0
        var mails = 0
        /// Tries that a code could have matched.
        var guesses = 0
        var hasAddress = false

        mutating func add(_ other: Haul) {
            accounts += other.accounts
            requests += other.requests
            mails += other.mails
            guesses += other.guesses
            hasAddress = hasAddress || other.hasAddress
        }
    }
}
