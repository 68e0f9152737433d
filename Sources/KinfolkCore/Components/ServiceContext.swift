package import KinfolkStorage

/// What the parts of a service are created from.
package struct ServiceContext {
    package let store: Store
    package let memory: MemoryLimits
}
