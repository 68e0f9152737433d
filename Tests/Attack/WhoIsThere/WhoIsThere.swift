import Kinfolk

/// Whom one may not find cannot be told from somebody who is not there.
struct WhoIsThere: Experiment {
    let name = "who"
    let promise = "who is there"

    func run(_ length: Length) throws -> [Finding] {
        // Few, since each search reads whom a block hides: with many of them the rest of the time would be lost in that.
        let people = try HiddenPeople(each: 24)
        var findings = try Answers(people).findings("")
        if length == .long { findings += try Timing(people).findings() }
        try people.rotateHalf()
        return findings + (try Answers(people).findings(", while keys are rotated"))
    }
}
