import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { RENEW_MS, startGit } from './run.ts'

/**
 * Writes objects of commits through `git fast-import`. Each import is a separate process, because only its end syncs
 * everything; the next one starts while one ends, so that no caller waits for a start while commits keep coming.
 */
export class Importer {
  readonly #folder: string
  #spare: ChildProcessWithoutNullStreams | undefined
  #spareSince = 0

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Returns the ids from `get-mark`, in their order, once all objects are on the disk. */
  async import(stream: Iterable<string | Buffer>): Promise<readonly string[]> {
    // The deadline of a process counts from its start: an old spare may have little of it left.
    if (performance.now() - this.#spareSince > RENEW_MS) this.close()
    const child = this.#spare ?? this.#start()
    this.#spare = undefined
    let output = ''
    let errors = ''
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
    child.stderr.on('data', (chunk: Buffer) => {
      if (errors.length < 4_096) errors += chunk.toString()
    })
    const ended = new Promise<number | null>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', resolve)
    })
    try {
      for (const part of stream) if (!child.stdin.write(part)) await Promise.race([once(child.stdin, 'drain'), ended])
    } catch (error) {
      child.kill('SIGKILL')
      throw error
    }
    child.stdin.end()
    // Started while git packs and syncs: starting a process takes as long as either.
    this.#spare ??= this.#start()
    const code = await ended
    if (code !== 0) throw new Error(`git fast-import failed (${code}): ${errors.trim().slice(0, 500)}`)
    return output.split('\n').filter((line) => line !== '')
  }

  /** A spare without input leaves no files behind. */
  close(): void {
    this.#spare?.stdin.end('done\n')
    this.#spare = undefined
  }

  #start(): ChildProcessWithoutNullStreams {
    this.#spareSince = performance.now()
    const child = startGit(['fast-import', '--quiet', '--done', '--date-format=raw', '--force'], { folder: this.#folder })
    child.once('close', () => {
      if (this.#spare === child) this.#spare = undefined
    })
    child.once('error', () => {
      if (this.#spare === child) this.#spare = undefined
    })
    return child
  }
}
