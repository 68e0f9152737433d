import Glibc
import Kinfolk

/// An attacker who makes accounts, requests codes for another person's address, guesses, and erases the accounts.
struct CodeGuesser {
    static let part = "guess"

    private let email: EmailAddress

    init(_ email: EmailAddress) { self.email = email }

    /// Tries with one account after the other.
    func guess(_ service: Service, accounts: Int) throws -> Takeover.Haul {
        var haul = Takeover.Haul()
        for _ in 0..<accounts { haul.add(try guessWithOne(service)) }
        return haul
    }

    /// Uses all requests and all tries of one account.
    private func guessWithOne(_ service: Service) throws -> Takeover.Haul {
        var haul = Takeover.Haul(accounts: 1)
        let account = try service.createAccount()
        try account.addEmail(email.canonical)
        while let isMailed = try request(account) {
            haul.requests += 1
            if isMailed { haul.mails += 1 }
            while let isRight = try tryOut(account) {
                if isMailed { haul.guesses += 1 }
                if isRight { haul.hasAddress = true }
            }
        }
        _ = try account.erase()
        return haul
    }

    /// Whether a mail was sent; nil if the account may request no more.
    private func request(_ account: Account) throws -> Bool? {
        do {
            return try account.requestVerification(of: email) != nil
        } catch {
            guard error.code == .requestRateLimited else { throw error }
            return nil
        }
    }

    /// Whether the guess was right; nil if the code may not be tried any more.
    private func tryOut(_ account: Account) throws -> Bool? {
        do {
            _ = try account.verifyEmail(email, code: CodeGuesser.someCode())
            return true
        } catch {
            if error.code == .permissionFailure { return false }
            guard error.code == .limitExceeded || error.code == .unknownItem else { throw error }
            return nil
        }
    }

    private static func someCode() -> String {
        let bits: UInt64 = .random(in: 0...0xff_ffff_ffff)
        return String(bits, radix: 32, uppercase: true)
    }

    /// Runs in a second process, and writes its result.
    static func play(_ arguments: [String]) throws {
        guard arguments.count == 3, let accounts = Int(arguments[2]) else { exit(64) }
        let service = try Service.open(arguments[0], existingOnly: true)
        let haul = try CodeGuesser(EmailAddress(arguments[1])).guess(service, accounts: accounts)
        print("\(haul.accounts) \(haul.requests) \(haul.mails) \(haul.guesses) \(haul.hasAddress ? 1 : 0)")
    }

    static func haul(_ lines: [String]) throws -> Takeover.Haul {
        let numbers = (lines.first ?? "").split(separator: " ").compactMap { Int($0) }
        guard numbers.count == 5 else { throw ExperimentFailure("a guesser in another process failed") }
        return Takeover.Haul(
            accounts: numbers[0],
            requests: numbers[1],
            mails: numbers[2],
            guesses: numbers[3],
            hasAddress: numbers[4] != 0
        )
    }
}
