import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { type RunOptions, startGit } from './run.ts'

export interface FoundObject {
  readonly oid: string
  readonly type: string
  readonly size: number
  /** Cut to the requested size; absent when only the size was requested. */
  readonly content?: Buffer
}
interface Question {
  readonly maxBytes: number | undefined
  readonly resolve: (found: FoundObject | undefined) => void
  readonly reject: (error: Error) => void
}

/** A `git cat-file --batch-command`: questions are written to it, answers come in their order. */
export class ObjectProcess {
  readonly startedAt = performance.now()
  readonly #child: ChildProcessWithoutNullStreams
  readonly #questions: Question[] = []
  #head: Buffer[] = []
  #found: FoundObject | undefined
  #kept: Buffer[] = []
  #left = 0
  #ended = false

  constructor(where: Pick<RunOptions, 'folder' | 'env' | 'limits'>) {
    const child = startGit(['cat-file', '--batch-command'], where)
    this.#child = child
    child.stdout.on('data', (chunk: Buffer) => this.#read(chunk))
    child.stderr.resume()
    child.once('error', () => this.#lose())
    child.once('close', () => this.#lose())
  }

  get ended(): boolean {
    return this.#ended
  }

  ask(command: 'info' | 'contents', name: string, maxBytes: number | undefined): Promise<FoundObject | undefined> {
    return new Promise((resolve, reject) => {
      this.#questions.push({ maxBytes, resolve, reject })
      this.#child.stdin.write(`${command} ${name}\n`)
    })
  }

  /** Ends the process after it has answered its open questions. */
  close(): void {
    this.#ended = true
    this.#child.stdin.end()
  }

  #lose(): void {
    this.#ended = true
    for (const { reject } of this.#questions.splice(0)) reject(new Error('git cat-file ended'))
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
        // Includes the line feed after it.
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
