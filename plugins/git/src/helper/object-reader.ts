import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { startGit } from './run.ts'

export interface FoundObject {
  readonly oid: string
  readonly type: string
  readonly size: number
  /** Cut to what was asked for; absent when only the size was asked. */
  readonly content?: Buffer
}
interface Question {
  readonly maxBytes: number | undefined
  readonly resolve: (found: FoundObject | undefined) => void
  readonly reject: (error: Error) => void
}

/** One `git cat-file --batch-command` of a repository: questions are written to it, answers come in their order. */
export class ObjectReader {
  readonly #folder: string
  #child: ChildProcessWithoutNullStreams | undefined
  #questions: Question[] = []
  #head: Buffer[] = []
  #found: FoundObject | undefined
  #kept: Buffer[] = []
  #left = 0

  constructor(folder: string) {
    this.#folder = folder
  }

  /** `name`: an id, a ref of ours, or `<id>:<path of ours>`; it is one line. */
  info(name: string): Promise<FoundObject | undefined> {
    return this.#ask('info', name, undefined)
  }
  contents(name: string, maxBytes: number): Promise<FoundObject | undefined> {
    return this.#ask('contents', name, maxBytes)
  }
  close(): void {
    this.#child?.stdin.end()
    this.#child = undefined
  }

  #ask(command: string, name: string, maxBytes: number | undefined): Promise<FoundObject | undefined> {
    if (/[\n\0]/.test(name)) return Promise.reject(new Error('not a name of an object'))
    this.#child ??= this.#start()
    const { stdin } = this.#child
    return new Promise((resolve, reject) => {
      this.#questions.push({ maxBytes, resolve, reject })
      stdin.write(`${command} ${name}\n`)
    })
  }

  #start(): ChildProcessWithoutNullStreams {
    const child = startGit(['cat-file', '--batch-command'], { folder: this.#folder })
    child.stdout.on('data', (chunk: Buffer) => this.#read(chunk))
    child.stderr.resume()
    const lost = (): void => {
      if (this.#child === child) this.#child = undefined
      for (const { reject } of this.#questions.splice(0)) reject(new Error('git cat-file ended'))
      this.#head = []
      this.#found = undefined
    }
    child.once('error', lost)
    child.once('close', lost)
    return child
  }

  #read(data: Buffer): void {
    let chunk = data
    while (chunk.length > 0) {
      if (this.#found === undefined) {
        const end = chunk.indexOf(10)
        if (end < 0) {
          this.#head.push(chunk)
          return
        }
        this.#begin(Buffer.concat([...this.#head, chunk.subarray(0, end)]).toString())
        this.#head = []
        chunk = chunk.subarray(end + 1)
      } else {
        const { maxBytes = 0 } = this.#questions[0] as Question
        const part = chunk.subarray(0, this.#left)
        const room = Math.max(0, maxBytes - (this.#found.size + 1 - this.#left))
        if (room > 0) this.#kept.push(Buffer.from(part.subarray(0, room)))
        this.#left -= part.length
        chunk = chunk.subarray(part.length)
        // With the line feed after it.
        if (this.#left === 0) this.#answer({ ...this.#found, content: Buffer.concat(this.#kept).subarray(0, this.#found.size) })
      }
    }
  }

  #begin(line: string): void {
    const [, oid = '', type = '', size = ''] = /^([0-9a-f]{40}) (\w+) (\d+)$/.exec(line) ?? []
    if (oid === '') return this.#answer(undefined)
    const found = { oid, type, size: Number(size) }
    if (this.#questions[0]?.maxBytes === undefined) return this.#answer(found)
    this.#found = found
    this.#left = found.size + 1
    this.#kept = []
  }

  #answer(found: FoundObject | undefined): void {
    this.#found = undefined
    this.#kept = []
    this.#questions.shift()?.resolve(found)
  }
}
