import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { CommandError, EXIT } from '@gateway/sdk/command'

/** A text of a TOML file that belongs to no table: its line stands before the first table. Everything else stays unchanged. */
export class TomlLine {
  readonly #path: string
  readonly #name: string
  readonly #line: string

  constructor(path: string, name: string, value: string) {
    this.#path = path
    this.#name = name
    this.#line = `${name} = ${JSON.stringify(value)}`
  }

  /** Throws if the file has another value. */
  async check(): Promise<void> {
    const present = this.#find(await this.#read())
    if (present === undefined || present === this.#line) return
    throw new CommandError(
      EXIT.failure,
      `${this.#path} has \`${present}\` and was not changed. Remove the line, or add \`${this.#line}\` in its place by hand.`,
    )
  }

  async write(): Promise<void> {
    const text = await this.#read()
    if (this.#find(text) === undefined) await this.#replace(`${this.#line}\n${text === '' ? '' : `\n${text}`}`)
  }

  async undo(): Promise<void> {
    const text = await this.#read()
    if (this.#find(text) !== this.#line) return
    const lines = text.split('\n')
    lines.splice(lines.indexOf(this.#line), 1)
    const rest = lines.join('\n').replace(/^\n+/, '')
    if (rest.trim() === '') await rm(this.#path)
    else await this.#replace(rest)
  }

  #find(text: string): string | undefined {
    const lines = text.split('\n').map((line) => line.trim())
    const table = lines.findIndex((line) => line.startsWith('['))
    const before = table < 0 ? lines : lines.slice(0, table)
    return before.find((line) => new RegExp(`^${this.#name}\\s*=`).test(line))
  }

  #read(): Promise<string> {
    return readFile(this.#path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return ''
      throw error
    })
  }

  async #replace(text: string): Promise<void> {
    const draft = `${this.#path}.${process.pid}.new`
    await writeFile(draft, text)
    await rename(draft, this.#path)
  }
}
