import Kinfolk

/// A person whom the seeker may not find looks the same as a person who is not there.
struct WhoIsThere: Experiment {
    let name = "who"
    let promise = "who is there"

    func run(_ length: Length) throws -> [Finding] {
        // Few blocks, since each search reads all of them: with many, the differences to be measured would be lost in that time.
        let people = try HiddenPeople(each: 24)
        var findings = try Answers(people).findings("")
        if length == .long { findings += try Timing(people).findings() }
        try people.rotateHalf()
        return findings + (try Answers(people).findings(", while keys are rotated"))
    }
}
