import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { ZERO } from '../rules/names.ts'
import { RENEW_MS, startGit } from './run.ts'

export interface RefStep {
  readonly ref: string
  readonly from: string | undefined
  readonly to: string | undefined
}

/** A `git update-ref --stdin` of a repository: transactions, one after another. It ends with the first that fails. */
export class RefWriter {
  readonly #folder: string
  #child: ChildProcessWithoutNullStreams | undefined
  #startedAt = 0

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Applies all steps or none; rejects with git's message. */
  commit(steps: readonly RefStep[]): Promise<void> {
    if (performance.now() - this.#startedAt > RENEW_MS) this.close()
    this.#child ??= this.#start()
    const child = this.#child
    const lines = steps.map(({ ref, from = ZERO, to }) => (to === undefined ? `delete ${ref} ${from}` : `update ${ref} ${to} ${from}`))
    return new Promise((resolve, reject) => {
      let output = ''
      let errors = ''
      const onData = (chunk: Buffer): void => {
        output += chunk.toString()
        if (output.includes('commit: ok\n')) end(resolve)
      }
      const complained = (chunk: Buffer): void => {
        errors += chunk.toString()
      }
      const lost = (): void => end(() => reject(new Error(`git update-ref: ${errors.trim().slice(0, 500)}`)))
      const end = (then: () => void): void => {
        child.stdout.off('data', onData)
        child.stderr.off('data', complained)
        child.off('close', lost)
        then()
      }
      child.stdout.on('data', onData)
      child.stderr.on('data', complained)
      child.once('close', lost)
      child.stdin.write(`start\n${lines.join('\n')}\nprepare\ncommit\n`)
    })
  }

  close(): void {
    this.#child?.stdin.end()
    this.#child = undefined
  }

  #start(): ChildProcessWithoutNullStreams {
    this.#startedAt = performance.now()
    const child = startGit(['update-ref', '--stdin'], { folder: this.#folder })
    const lost = (): void => {
      if (this.#child === child) this.#child = undefined
    }
    child.once('error', lost)
    child.once('close', lost)
    return child
  }
}
