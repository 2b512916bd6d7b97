/** Thrown if the connection broke after the request was sent. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost'
  constructor(cause?: Error) {
    super('The connection to the service was lost before the answer came; the request may have been executed.', { cause })
  }
}
