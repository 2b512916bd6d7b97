import { existsSync } from 'node:fs'
import { copyFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { CommandError, EXIT } from '@gateway/sdk/command'

type Json = Record<string, unknown>

/**
 * Entry of one server in a client's configuration file. Before the first change the file is copied next to the original; `undo`
 * restores the copy if nobody changed the file since, else it removes only this entry.
 */
export class ClientConfig {
  readonly path: string
  readonly #servers: string
  readonly #name: string

  constructor(path: string, servers: string, name: string) {
    this.path = path
    this.#servers = servers
    this.#name = name
  }

  get backupPath(): string {
    return `${this.path}.before-gateway`
  }

  async write(entry: object): Promise<void> {
    const before = await this.#read(`Add to its \`${this.#servers}\` by hand: ${JSON.stringify({ [this.#name]: entry })}`)
    await mkdir(dirname(this.path), { recursive: true })
    if (before !== undefined && !existsSync(this.backupPath)) await copyFile(this.path, this.backupPath)
    const servers = this.#serversOf(before ?? {})
    await this.#replace({ ...before, [this.#servers]: { ...servers, [this.#name]: entry } })
  }

  /** Resolves to false if there was no entry to remove. */
  async undo(): Promise<boolean> {
    const now = await this.#read(`Take \`${this.#name}\` out of its \`${this.#servers}\` by hand.`)
    const { [this.#name]: mine, ...others } = this.#serversOf(now ?? {})
    if (mine === undefined) return false
    const backup = existsSync(this.backupPath) ? (JSON.parse(await readFile(this.backupPath, 'utf8')) as Json) : undefined
    const written = { ...backup, [this.#servers]: { ...this.#serversOf(backup ?? {}), [this.#name]: mine } }
    if (JSON.stringify(written) !== JSON.stringify(now)) await this.#replace({ ...now, [this.#servers]: others })
    else if (backup) await rename(this.backupPath, this.path)
    else await rm(this.path)
    await rm(this.backupPath, { force: true })
    return true
  }

  async #read(byHand: string): Promise<Json | undefined> {
    if (!existsSync(this.path)) return undefined
    try {
      const value: unknown = JSON.parse(await readFile(this.path, 'utf8'))
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json
    } catch {
      // Some of these files allow comments, and rewriting the file would lose them.
    }
    throw new CommandError(EXIT.failure, `${this.path} is not plain JSON and was not changed. ${byHand}`)
  }

  #serversOf(config: Json): Json {
    const servers = config[this.#servers] ?? {}
    if (typeof servers === 'object' && servers !== null && !Array.isArray(servers)) return servers as Json
    throw new CommandError(EXIT.failure, `\`${this.#servers}\` in ${this.path} is not an object, so the file was not changed.`)
  }

  async #replace(config: Json): Promise<void> {
    const draft = `${this.path}.${process.pid}.new`
    await writeFile(draft, `${JSON.stringify(config, null, 2)}\n`)
    await rename(draft, this.path)
  }
}
