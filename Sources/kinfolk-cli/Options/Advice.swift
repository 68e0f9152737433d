import Kinfolk
import KinfolkFiles
import KinfolkStorage

extension KinfolkError {
    /// The same error, with advice added to its reason.
    func advising(_ advice: String) -> KinfolkError {
        saying("\(reason) \(advice)")
    }

    /// The same error about a file, with the name of the file in its reason.
    func naming(_ path: FilePath) -> KinfolkError {
        guard !path.isStandardInput else { return self }
        if reason == "There is no such file." { return saying("There is no file \(path.shown).") }
        if reason == "This is a directory, not a file." { return saying("\(path.shown) is a directory, not a file.") }
        if reason.hasPrefix("An asset is made of a regular file") {
            return saying("\(path.shown) is not a regular file.")
        }
        guard reason.hasPrefix("The file "), !reason.hasPrefix("The file system ") else { return self }
        return saying("The file \(path.shown) \(reason.dropFirst("The file ".count))")
    }

    /// The same error about a folder that an export or an import of documents uses, with the name of the folder in its reason.
    func naming(folder path: FilePath) -> KinfolkError {
        switch reason {
        case "There is no such folder.":
            File.exists(path.folder)
                ? saying("There is no folder \(path.shown).") : File.missingFolder(of: path) ?? self
        case "The path does not lead to a folder.": saying("\(path.shown) is not a folder.")
        case "The folder may not be used.": saying("The folder \(path.shown) may not be used.")
        default: self
        }
    }

    /// The same error with another reason.
    func saying(_ reason: String) -> KinfolkError {
        KinfolkError(code, reason, retryAfter: retryAfter, serverRecord: serverRecord)
    }
}

extension Service {
    /// The container with this name. If it does not exist, the error says which command lists the names.
    func existingContainer(
        _ name: String,
        _ environment: ContainerEnvironment = .production
    ) throws(KinfolkError) -> Container {
        do { return try container(name, environment: environment) } catch {
            guard error.code == .unknownItem else { throw error }
            throw error.advising(
                "\"kinfolk container list\" shows the containers, \"kinfolk container create \(name)\" makes it."
            )
        }
    }
}
