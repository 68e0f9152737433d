/// Lists of positions without duplicates, in ascending order.
enum SortedPositions {
    /// The index of the first position that is not lower than this one, from `start` on.
    static func index(of position: Int64, in list: [Int64], from start: Int = 0) -> Int {
        var (low, high) = (start, list.count)
        while low < high {
            let middle = (low + high) / 2
            if list[middle] < position { low = middle + 1 } else { high = middle }
        }
        return low
    }

    static func contains(_ position: Int64, in list: [Int64]) -> Bool {
        let index = index(of: position, in: list)
        return index < list.count && list[index] == position
    }

    @discardableResult
    static func insert(_ position: Int64, in list: inout [Int64]) -> Bool {
        let index = index(of: position, in: list)
        guard index == list.count || list[index] != position else { return false }
        list.insert(position, at: index)
        return true
    }

    @discardableResult
    static func remove(_ position: Int64, from list: inout [Int64]) -> Bool {
        let index = index(of: position, in: list)
        guard index < list.count, list[index] == position else { return false }
        list.remove(at: index)
        return true
    }

    /// The indices of the positions in a range.
    static func indices(in range: Range<Int64>, of list: [Int64]) -> Range<Int> {
        let start = index(of: range.lowerBound, in: list)
        return start..<index(of: range.upperBound, in: list, from: start)
    }

    /// A list with some positions, and without others.
    static func list(_ list: [Int64], adding added: ArraySlice<Int64>, removing removed: ArraySlice<Int64>) -> [Int64] {
        guard !added.isEmpty || !removed.isEmpty else { return list }
        var result: [Int64] = []
        result.reserveCapacity(list.count + added.count)
        var (added, removed) = (added, removed)
        var start = 0
        // Changes are few, and what is between them is copied at once.
        while let next = [added.first, removed.first].lazy.compactMap({ $0 }).min() {
            let end = index(of: next, in: list, from: start)
            result.append(contentsOf: list[start..<end])
            start = end < list.count && list[end] == next ? end + 1 : end
            if removed.first == next { removed.removeFirst() }
            guard added.first == next else { continue }
            added.removeFirst()
            result.append(next)
        }
        result.append(contentsOf: list[start...])
        return result
    }

    /// The positions of two lists.
    static func union(_ first: [Int64], _ second: [Int64]) -> [Int64] {
        if first.isEmpty { return second }
        if second.isEmpty { return first }
        var result: [Int64] = []
        result.reserveCapacity(first.count + second.count)
        var (left, right) = (0, 0)
        while left < first.count, right < second.count {
            let (a, b) = (first[left], second[right])
            result.append(min(a, b))
            if a <= b { left += 1 }
            if b <= a { right += 1 }
        }
        result.append(contentsOf: first[left...])
        result.append(contentsOf: second[right...])
        return result
    }

    /// The positions that are in both lists.
    static func intersection(_ first: [Int64], _ second: [Int64]) -> [Int64] {
        let (few, many) = first.count <= second.count ? (first, second) : (second, first)
        return few.count * 32 < many.count ? searching(few, in: many) : merging(few, many)
    }

    private static func searching(_ few: [Int64], in many: [Int64]) -> [Int64] {
        var start = 0
        return few.filter { position in
            // The next one is seldom far away.
            var step = 1
            while start + step < many.count, many[start + step] < position {
                start += step
                step *= 2
            }
            start = index(of: position, in: many, from: start)
            return start < many.count && many[start] == position
        }
    }

    /// Without a branch that depends on the positions: a wrong prediction costs more than a comparison.
    private static func merging(_ first: [Int64], _ second: [Int64]) -> [Int64] {
        [Int64](unsafeUninitializedCapacity: first.count) { result, count in
            first.withUnsafeBufferPointer { first in
                second.withUnsafeBufferPointer { second in
                    var (left, right, found) = (0, 0, 0)
                    while left < first.count, right < second.count {
                        let (a, b) = (first[left], second[right])
                        result[found] = a
                        found &+= a == b ? 1 : 0
                        left &+= a <= b ? 1 : 0
                        right &+= b <= a ? 1 : 0
                    }
                    count = found
                }
            }
        }
    }
}
