import ArgumentParser
import KinfolkFiles
import KinfolkStorage

/// An argument that is a path may be any bytes.
extension FilePath: ExpressibleByArgument {
    package init?(argument: String) { self = CarriedBytes.path(argument) }

    /// `-`, which stands for standard input.
    var isStandardInput: Bool { text == "-" }

    /// `-`, which stands for standard output.
    var isStandardOutput: Bool { text == "-" }

    /// The file that a command reads.
    var input: FilePath { isStandardInput ? FilePath("/dev/stdin") : self }
}
