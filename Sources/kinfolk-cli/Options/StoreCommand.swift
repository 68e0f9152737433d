import ArgumentParser
import Kinfolk

/// A command that works on an existing store, and gives an answer.
protocol StoreCommand: ParsableCommand {
    var options: StoreOptions { get }

    func answer(from service: Service) throws -> Answer
}

extension StoreCommand {
    mutating func run() throws {
        try options.show(answer(from: options.open()))
    }
}

extension StoreOptions {
    func show(_ answer: Answer) throws { try answer.show(asJSON: json) }
}
