/// Conditions joined by AND, OR and NOT: a tree, as the list of its nodes. Each node stands before the nodes in it.
///
/// Nothing that is done with a tree calls itself for each level: a predicate comes from a caller, whose thread may have a small stack. Enums that
/// contain enums would be compared, hashed and freed by functions that do.
package struct ConditionTree<Test: Sendable & Hashable>: Sendable, Hashable {
    package enum Node: Sendable, Hashable {
        case constant(Bool)
        /// Indirect, so that a node is small however large its test is.
        indirect case test(Test)
        /// The opposite of the next tree.
        case not
        /// The next trees hold all, or one of them does; so many trees.
        case all(Int)
        case any(Int)

        /// How many trees follow that belong to the node.
        package var count: Int {
            switch self {
            case .constant, .test: 0
            case .not: 1
            case .all(let count), .any(let count): count
            }
        }
    }

    /// At least one.
    package let nodes: [Node]

    private init(nodes: [Node]) { self.nodes = nodes }

    package static func constant(_ value: Bool) -> ConditionTree { ConditionTree(nodes: [.constant(value)]) }
    package static func test(_ test: Test) -> ConditionTree { ConditionTree(nodes: [.test(test)]) }

    /// The first node.
    package var root: Node { nodes.first ?? .constant(false) }

    /// The test, if there is nothing else.
    package var test: Test? { if case .test(let test) = root { test } else { nil } }

    /// How many nodes are inside each other; 1 for a test.
    package var depth: Int { folded { _, depths, _ in 1 + (depths.max() ?? 0) } }

    // MARK: Making trees

    /// The tree that holds if this one does not. Two NOTs cancel each other.
    package static prefix func ! (tree: ConditionTree) -> ConditionTree {
        switch tree.root {
        case .constant(let value): .constant(!value)
        case .not: ConditionTree(nodes: Array(tree.nodes.dropFirst()))
        default: ConditionTree(nodes: [.not] + tree.nodes)
        }
    }

    /// The tree that holds if all of these hold. Trees that are joined in the same way already are taken apart.
    package static func all(_ trees: [ConditionTree]) -> ConditionTree {
        joining(trees, Node.all) { if case .all = $0 { true } else { false } } ?? .constant(true)
    }

    /// The tree that holds if one of these holds.
    package static func any(_ trees: [ConditionTree]) -> ConditionTree {
        joining(trees, Node.any) { if case .any = $0 { true } else { false } } ?? .constant(false)
    }

    private static func joining(
        _ trees: [ConditionTree],
        _ join: (Int) -> Node,
        _ isJoined: (Node) -> Bool
    ) -> ConditionTree? {
        guard trees.count > 1 else { return trees.first }
        let count = trees.reduce(0) { $0 + (isJoined($1.root) ? $1.root.count : 1) }
        return ConditionTree(nodes: [join(count)] + trees.flatMap { $0.nodes.dropFirst(isJoined($0.root) ? 1 : 0) })
    }

    // MARK: Reading trees

    /// The trees in the first node.
    package var children: [ConditionTree] {
        var (children, start): ([ConditionTree], Int) = ([], 1)
        for _ in 0..<root.count {
            let end = end(ofTreeAt: start)
            children.append(ConditionTree(nodes: Array(nodes[start..<end])))
            start = end
        }
        return children
    }

    /// The index after a tree in this one.
    private func end(ofTreeAt start: Int) -> Int {
        var (end, missing) = (start, 1)
        while missing > 0, end < nodes.count {
            missing += nodes[end].count - 1
            end += 1
        }
        return end
    }

    /// Makes something of each node, from left to right, and of what was made of the trees that belong to it.
    ///
    /// - Parameter make: Its last argument is the number of nodes around the node.
    package func folded<Result, Failure: Error>(
        _ make: (Node, [Result], _ depth: Int) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var open: [(node: Node, results: [Result])] = []
        for node in nodes {
            guard node.count == 0 else {
                open.append((node, []))
                continue
            }
            var result = try make(node, [], open.count)
            while let last = open.indices.last {
                open[last].results.append(result)
                guard open[last].results.count == open[last].node.count else { break }
                let complete = open.removeLast()
                result = try make(complete.node, complete.results, open.count)
            }
            if open.isEmpty { return result }
        }
        // There is no tree without nodes.
        return try make(.constant(false), [], 0)
    }
}
