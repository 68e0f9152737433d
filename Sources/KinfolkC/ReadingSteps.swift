#if KINFOLK_STEPS
import Kinfolk

// For the fuzz target `steps`. No released library has it.

/// The steps that readers took on this thread.
@_cdecl("kinfolk_reading_steps")
public func kinfolk_reading_steps() -> Int { ReadingSteps.count }

/// Reads a file of people, of whom none is made.
@_cdecl("kinfolk_reading_people")
public func kinfolk_reading_people(_ text: UnsafePointer<UInt8>, _ length: Int) {
    PeopleReading.people(in: UnsafeBufferPointer(start: text, count: length).span)
}
#endif
