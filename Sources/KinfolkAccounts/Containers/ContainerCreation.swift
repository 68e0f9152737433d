/// The creation of a container, as indexes that are derived from containers see it.
package struct ContainerCreation {
    package let container: Int64
}
