import KinfolkModel
import TestSupport
import Testing

/// AND, OR and NOT over tests, which are numbers here.
@Suite("Trees of conditions") struct ConditionTreeTests {
    private typealias Tree = ConditionTree<Int>

    /// What the tree means, by its definition.
    private indirect enum Formula {
        case constant(Bool)
        case test(Int)
        case not(Formula)
        case all([Formula])
        case any([Formula])

        var tree: Tree {
            switch self {
            case .constant(let value): .constant(value)
            case .test(let test): .test(test)
            case .not(let formula): !formula.tree
            case .all(let formulas): .all(formulas.map(\.tree))
            case .any(let formulas): .any(formulas.map(\.tree))
            }
        }

        static func random(_ depth: Int, _ generator: inout SeededGenerator) -> Formula {
            func some() -> [Formula] {
                (0..<Int.random(in: 0...4, using: &generator)).map { _ in random(depth - 1, &generator) }
            }
            return switch depth == 0 ? 9 : Int.random(in: 0..<10, using: &generator) {
            case 0: .constant(Bool.random(using: &generator))
            case 1, 2: .not(random(depth - 1, &generator))
            case 3...5: .all(some())
            case 6...8: .any(some())
            default: .test(Int.random(in: 0..<8, using: &generator))
            }
        }
    }

    @Test func aTreeIsTheJoinOfItsChildren() {
        var generator = SeededGenerator(seed: 38)
        for round in 0..<3_000 {
            let tree = Formula.random(5, &generator).tree
            switch tree.root {
            case .constant, .test: #expect(tree.children.isEmpty && tree.nodes.count == 1, "round \(round)")
            case .not: #expect(tree.children.map(!) == [tree], "round \(round)")
            case .all: #expect(Tree.all(tree.children) == tree && tree.children.count > 1, "round \(round)")
            case .any: #expect(Tree.any(tree.children) == tree && tree.children.count > 1, "round \(round)")
            }
            #expect(tree.folded { _, counts, _ in 1 + counts.reduce(0, +) } == tree.nodes.count, "round \(round)")
        }
    }
}
