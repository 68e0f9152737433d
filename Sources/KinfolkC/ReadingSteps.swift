#if KINFOLK_STEPS
import Kinfolk

// For the fuzz target `steps`. Released libraries do not contain it.

/// The number of steps that readers took on this thread.
@_cdecl("kinfolk_reading_steps")
public func kinfolk_reading_steps() -> Int { ReadingSteps.count }

/// Reads a file of people, but makes no accounts.
@_cdecl("kinfolk_reading_people")
public func kinfolk_reading_people(_ text: UnsafePointer<UInt8>, _ length: Int) {
    PeopleReading.people(in: UnsafeBufferPointer(start: text, count: length).span)
}
#endif
