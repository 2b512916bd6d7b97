/**
 * The running service as its clients see it: JSON over HTTP. Each method rejects with a CommandError: with the service's
 * sentence and record if it refuses, and with the remedy if nothing answers.
 */
export interface ServiceClient {
  /** Has no trailing slash. */
  readonly url: string
  /** Waits at most ten seconds, like `delete`; the others wait five minutes. */
  get(path: string): Promise<object>
  /** With an idempotency key the request is repeated with it if the answer is lost. */
  post(path: string, body: object, idempotencyKey?: string): Promise<object>
  put(path: string, body: object): Promise<object>
  patch(path: string, body: object): Promise<object>
  delete(path: string): Promise<object>
  /**
   * The same service with another limit of time, in milliseconds, for each request; reads and deletions keep theirs if it is shorter. A
   * request with an idempotency key that got no answer in time is repeated once.
   */
  within(ms: number): ServiceClient
  /**
   * Calls a tool by its name, whether or not it has a path of its own. It sends an idempotency key, by default a new one, and repeats
   * the call with it if the answer is lost.
   */
  call(tool: string, args?: object, idempotencyKey?: string): Promise<object>
}
