import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { RENEW_MS, startGit } from './run.ts'

/**
 * Objects of commits, through `git fast-import`. Each import is a process of its own, for only its end has everything synced; the
 * next one is started while one ends, so that nobody waits for a start while commits keep coming.
 */
export class Importer {
  readonly #folder: string
  #spare: ChildProcessWithoutNullStreams | undefined
  #spareSince = 0

  constructor(folder: string) {
    this.#folder = folder
  }

  /** The ids that `get-mark` said, in their order, once all objects are on the disk. */
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
    // While git packs and syncs: starting a process takes as long as either.
    this.#spare ??= this.#start()
    const code = await ended
    if (code !== 0) throw new Error(`git fast-import failed (${code}): ${errors.trim().slice(0, 500)}`)
    return output.split('\n').filter((line) => line !== '')
  }

  /** A spare that is told of nothing leaves nothing behind. */
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
