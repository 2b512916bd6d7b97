import { type FoundObject, ObjectProcess } from './object-process.ts'
import { RENEW_MS, type RunOptions } from './run.ts'

/** Reads objects of a repository through a process that starts with the first question and is replaced from time to time. */
export class ObjectReader {
  readonly #where: Pick<RunOptions, 'folder' | 'env' | 'limits'>
  #process: ObjectProcess | undefined

  constructor(where: Pick<RunOptions, 'folder' | 'env' | 'limits'>) {
    this.#where = where
  }

  /** `name` is one line: an id, a valid ref, or `<id>:<valid path>`. */
  info(name: string): Promise<FoundObject | undefined> {
    return this.#ask('info', name, undefined)
  }
  contents(name: string, maxBytes: number): Promise<FoundObject | undefined> {
    return this.#ask('contents', name, maxBytes)
  }
  close(): void {
    this.#process?.close()
    this.#process = undefined
  }

  #ask(command: 'info' | 'contents', name: string, maxBytes: number | undefined): Promise<FoundObject | undefined> {
    if (/[\n\0]/.test(name)) return Promise.reject(new Error(`an object name must be one line; got ${JSON.stringify(name)}`))
    const known = this.#process
    if (known && (known.ended || performance.now() - known.startedAt > RENEW_MS)) this.close()
    this.#process ??= new ObjectProcess(this.#where)
    return this.#process.ask(command, name, maxBytes)
  }
}
