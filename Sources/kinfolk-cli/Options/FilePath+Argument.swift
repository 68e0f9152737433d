import ArgumentParser
import KinfolkStorage

/// An option that is a path takes any bytes.
extension FilePath: ExpressibleByArgument {
    package init?(argument: String) { self = CarriedBytes.path(argument) }

    /// `-`, which stands for standard input.
    var isStandardInput: Bool { text == "-" }

    /// Where a command reads.
    var input: FilePath { isStandardInput ? FilePath("/dev/stdin") : self }
}
