import { existsSync } from 'node:fs'
import { copyFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { CommandError, EXIT } from '@gateway/sdk/command'

type Json = Record<string, unknown>

export interface JsonMember {
  readonly path: readonly [string] | readonly [string, string]
  readonly value: string
}

/**
 * Members of a client's settings. A file that has another value at one of the places is left as it is. Before the first change it is
 * copied next to the original; `undo` removes only these members.
 */
export class JsonMembers {
  readonly path: string
  readonly #members: readonly JsonMember[]

  constructor(path: string, members: readonly JsonMember[]) {
    this.path = path
    this.#members = members
  }

  async write(): Promise<void> {
    const before = await this.#read()
    const config = before ?? {}
    for (const { path, value } of this.#members) {
      const present = valueAt(config, path)
      // The address of a gateway may have changed since the last time. Another command for the key was chosen by the user.
      if (present === undefined || present === value || path.length === 2) continue
      throw new CommandError(
        EXIT.failure,
        `${this.path} has another \`${path.join('.')}\` and was not changed. Remove it, or set it to ${JSON.stringify(value)} by hand.`,
      )
    }
    await mkdir(dirname(this.path), { recursive: true })
    const backup = `${this.path}.before-gateway`
    if (before !== undefined && !existsSync(backup)) await copyFile(this.path, backup)
    await this.#replace(this.#members.reduce((all, { path, value }) => withValue(all, path, value), config))
  }

  /** Resolves to false if none of the members was there. */
  async undo(): Promise<boolean> {
    const now = (await this.#read()) ?? {}
    const mine = this.#members.filter(({ path, value }) =>
      path.length === 2 ? valueAt(now, path) !== undefined : valueAt(now, path) === value,
    )
    if (mine.length === 0) return false
    const rest = mine.reduce((all, { path }) => withValue(all, path, undefined), now)
    if (Object.keys(rest).length === 0) await rm(this.path)
    else await this.#replace(rest)
    await rm(`${this.path}.before-gateway`, { force: true })
    return true
  }

  async #read(): Promise<Json | undefined> {
    if (!existsSync(this.path)) return undefined
    const byHand = this.#members.map(({ path, value }) => `\`${path.join('.')}\` to ${JSON.stringify(value)}`).join(', ')
    try {
      const value = object(JSON.parse(await readFile(this.path, 'utf8')))
      if (value && this.#members.every(({ path: [first, second] }) => second === undefined || object(value[first] ?? {}))) return value
    } catch {
      // Rewriting a file with comments would lose them.
    }
    throw new CommandError(EXIT.failure, `${this.path} is not plain JSON of the expected form and was not changed. Set by hand: ${byHand}.`)
  }

  async #replace(config: Json): Promise<void> {
    const draft = `${this.path}.${process.pid}.new`
    await writeFile(draft, `${JSON.stringify(config, null, 2)}\n`)
    await rename(draft, this.path)
  }
}

const object = (value: unknown): Json | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined

const valueAt = (config: Json, [first, second]: JsonMember['path']): unknown =>
  second === undefined ? config[first] : object(config[first])?.[second]

/** The same with a value at the place; `undefined` removes it, and an object that is empty then. */
function withValue(config: Json, [first, second]: JsonMember['path'], value: string | undefined): Json {
  const inner = second === undefined ? value : without({ ...object(config[first]), [second]: value })
  return without({ ...config, [first]: object(inner) && Object.keys(inner as Json).length === 0 ? undefined : inner })
}

const without = (config: Json): Json => Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined))
