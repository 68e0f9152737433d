/// A queue: the first element that was added is taken first. Each element is moved at most once on average.
package struct FIFO<Element> {
    private var elements: [Element?] = []
    private var next = 0

    package init() {}

    package var count: Int { elements.count - next }
    package var isEmpty: Bool { count == 0 }

    package mutating func add(_ element: Element) { elements.append(element) }

    /// Takes the first element; nil if there is none.
    package mutating func take() -> Element? {
        guard next < elements.count else { return nil }
        let element = elements[next]
        // Releases what it holds now, not when the queue is emptied.
        elements[next] = nil
        next += 1
        if next == elements.count {
            elements.removeAll(keepingCapacity: next <= 1_024)
            next = 0
        } else if next >= 1_024, next * 2 >= elements.count {
            // Under constant load the queue is never empty.
            elements.removeFirst(next)
            next = 0
        }
        return element
    }
}

extension FIFO: Sendable where Element: Sendable {}
