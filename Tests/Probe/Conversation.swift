import Glibc

/// Writes a line that the test waits for.
func say(_ items: Any...) {
    print(items.map { "\($0)" }.joined(separator: " "))
    fflush(nil)
}

/// Waits until the test has seen enough.
func waitForRelease() { while readLine() != nil {} }
