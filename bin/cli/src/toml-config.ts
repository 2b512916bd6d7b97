import { existsSync } from 'node:fs'
import { copyFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Table of one server in a client's TOML file. The rest of the file, including comments, stays unchanged: only the lines of this
 * table are inserted, replaced or removed.
 */
export class TomlConfig {
  readonly path: string
  readonly #table: string

  constructor(path: string, servers: string, name: string) {
    this.path = path
    this.#table = `${servers}.${/^[A-Za-z0-9_-]+$/.test(name) ? name : JSON.stringify(name)}`
  }

  async write(entry: object): Promise<void> {
    const before = await this.#read()
    await mkdir(dirname(this.path), { recursive: true })
    const backup = `${this.path}.before-gateway`
    if (before !== undefined && !existsSync(backup)) await copyFile(this.path, backup)
    const { others } = split(before ?? '', this.#table)
    await this.#replace(`${others === '' ? '' : `${others.trimEnd()}\n\n`}[${this.#table}]\n${linesOf(entry)}`)
  }

  /** Resolves to true if there was a table to remove. */
  async undo(): Promise<boolean> {
    const { others, mine } = split((await this.#read()) ?? '', this.#table)
    if (!mine) return false
    if (others.trim() === '') await rm(this.path)
    else await this.#replace(`${others.trimEnd()}\n`)
    await rm(`${this.path}.before-gateway`, { force: true })
    return true
  }

  #read(): Promise<string | undefined> {
    return readFile(this.path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    })
  }

  async #replace(text: string): Promise<void> {
    const draft = `${this.path}.${process.pid}.new`
    await writeFile(draft, text)
    await rename(draft, this.path)
  }
}

/**
 * Separates the lines of a table and its subtables from all others. Comments and blank lines after its last entry belong to what follows,
 * and those between its entries to the table.
 */
function split(text: string, table: string): { readonly others: string; readonly mine: boolean } {
  const others: string[] = []
  /** Comments and blank lines since the last entry of the table. */
  let since: string[] = []
  let inside = false
  let mine = false
  for (const line of text.split('\n')) {
    const [, head] = /^\s*\[+\s*([^\]]+?)\s*\]+/.exec(line) ?? []
    const isEntry = !/^\s*(?:#|$)/.test(line)
    if (inside && !isEntry) {
      since.push(line)
      continue
    }
    if (head !== undefined) inside = head === table || head.startsWith(`${table}.`)
    if (!inside) others.push(...since, line)
    since = []
    mine ||= inside
  }
  return { others: [...others, ...since].join('\n'), mine }
}

/** JSON's strings and lists of strings are valid TOML. */
const linesOf = (entry: object): string =>
  Object.entries(entry)
    .map(([name, value]) => `${name} = ${JSON.stringify(value)}\n`)
    .join('')
