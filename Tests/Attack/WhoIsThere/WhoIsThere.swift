import Kinfolk

/// Whom one may not find cannot be told from somebody who is not there.
struct WhoIsThere: Experiment {
    let name = "who"
    let promise = "who is there"

    func run(_ length: Length) throws -> [Finding] {
        let people = try HiddenPeople(each: 80)
        var findings = try Answers(people).findings("")
        if length == .long { findings += try Timing(people).findings() }
        try people.rotateHalf()
        return findings + (try Answers(people).findings(", while keys are rotated"))
    }
}
