import Kinfolk

extension PageTexts {
    /// A duration, rounded up: `5 minutes`, `3 hours`.
    func duration(minutes: Int) -> String {
        let minutes = max(minutes, 1)
        let (count, text) = minutes < 120 ? (minutes, common.minutes) : ((minutes - 1) / 60 + 1, common.hours)
        return text[count].plain(["count": "\(count)"])
    }

    /// The date of a time, in UTC: `26 November 2026`.
    func date(_ time: Timestamp) -> String { parts(of: time).date }

    /// A time, in UTC: `26 November 2026, 16:22 UTC`.
    func dateAndTime(_ time: Timestamp) -> String {
        let (date, time) = parts(of: time)
        return common.dateAndTime.plain(["date": date, "time": time])
    }

    private func parts(of time: Timestamp) -> (date: String, time: String) {
        // 2026-11-26T16:22:13.000000Z
        let halves = time.description.split(separator: "T")
        let numbers = halves[0].split(separator: "-").map { Int($0) ?? 0 }
        guard halves.count == 2, numbers.count == 3, common.months.indices.contains(numbers[1] - 1) else {
            return (time.description, "")
        }
        let day = numbers[2] == 1 ? common.firstDay.plain() : "\(numbers[2])"
        let values = ["year": "\(numbers[0])", "month": common.months[numbers[1] - 1].plain(), "day": day]
        return (common.date.plain(values), String(halves[1].prefix(5)))
    }
}
