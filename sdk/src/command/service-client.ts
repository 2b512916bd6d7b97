/**
 * The running service as its clients see it: JSON over HTTP. Each rejects with a CommandError: with the service’s sentence and record
 * where it refuses, and with what to do where nobody answers.
 */
export interface ServiceClient {
  /** Without a slash at its end. */
  readonly url: string
  /** Waits ten seconds at most, as `delete` does; the others five minutes. */
  get(path: string): Promise<object>
  post(path: string, body: object): Promise<object>
  put(path: string, body: object): Promise<object>
  patch(path: string, body: object): Promise<object>
  delete(path: string): Promise<object>
  /** Call a tool by its name, whether or not it has a path of its own. */
  call(tool: string, args?: object): Promise<object>
}
