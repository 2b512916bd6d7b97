import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PRE_RECEIVE } from '../rules/hook.ts'

/** The folder with the single hook for git, created at the first use. */
export class HooksFolder {
  readonly #folder: string
  #made: Promise<string> | undefined

  constructor(folder: string) {
    this.#folder = folder
  }

  path(): Promise<string> {
    this.#made ??= this.#make().catch((error: unknown) => {
      this.#made = undefined
      throw error
    })
    return this.#made
  }

  async #make(): Promise<string> {
    await mkdir(this.#folder, { recursive: true })
    const hook = join(this.#folder, 'pre-receive')
    // Another process may be about to run the existing hook.
    await writeFile(`${hook}.${process.pid}`, PRE_RECEIVE, { mode: 0o700 })
    await rename(`${hook}.${process.pid}`, hook)
    return this.#folder
  }
}
