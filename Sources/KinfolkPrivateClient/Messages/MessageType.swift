/// The type of a message of private discovery: requests of the client, and answers of the server.
package enum MessageType: UInt8 {
    case descriptionRequest = 1
    case description = 2
    case evaluationRequest = 3
    case evaluation = 4
    case bucketRequest = 5
    case buckets = 6
    case renewalRequest = 7
    case renewal = 8
}
