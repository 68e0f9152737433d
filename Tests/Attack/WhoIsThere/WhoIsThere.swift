import Kinfolk

/// Whom one may not find cannot be told from somebody who is not there.
struct WhoIsThere: Experiment {
    let name = "who"
    let promise = "who is there"

    func run(_ length: Length) throws -> [Finding] {
        let people = try HiddenPeople(each: 40)
        let findings = try Answers(people).findings()
        return length == .short ? findings : findings + (try Timing(people).findings())
    }
}
