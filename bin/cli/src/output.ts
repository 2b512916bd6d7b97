import { styleText } from 'node:util'
import type { CommandOutput, OutputCell, OutputRow, OutputTone } from '@gateway/sdk/command'

const STYLE = { good: 'green', warn: 'yellow', bad: 'red', quiet: 'dim' } as const

/** Output of a command: answers go to one stream, complaints to the other. */
export class Output implements CommandOutput {
  readonly #stdout: (text: string) => void
  readonly #stderr: (text: string) => void
  readonly #colour: boolean

  constructor(options: { stdout: (text: string) => void; stderr: (text: string) => void; colour: boolean }) {
    this.#stdout = options.stdout
    this.#stderr = options.stderr
    this.#colour = options.colour
  }

  line(text = ''): void {
    this.#stdout(`${text}\n`)
  }

  json(value: unknown): void {
    this.line(JSON.stringify(value, null, 2))
  }

  complain(sentence: string): void {
    this.#stderr(`${sentence}\n`)
  }

  paint(text: string, tone: OutputTone): string {
    // The use of colour is decided once, for the stream this prints to.
    return this.#colour && tone !== 'plain' ? styleText(STYLE[tone], text, { validateStream: false }) : text
  }

  table(rows: readonly OutputRow[], heads?: readonly string[]): void {
    const all = [...(heads ? [heads.map((text): OutputCell => ({ text, tone: 'quiet' }))] : []), ...rows].map((row) => row.map(asCell))
    const widths: number[] = []
    for (const row of all) for (const [column, { text }] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, text.length)
    for (const row of all) {
      const cells = row.map(({ text, tone }, column) =>
        this.paint(column === row.length - 1 ? text : text.padEnd(widths[column] ?? 0), tone),
      )
      this.line(cells.join('  ').trimEnd())
    }
  }
}

const asCell = (cell: string | OutputCell): OutputCell => (typeof cell === 'string' ? { text: cell, tone: 'plain' } : cell)

/** Uses colour only for a person: on a terminal, and unless NO_COLOR says otherwise. */
export function terminalOutput(env: Readonly<Record<string, string | undefined>>): Output {
  // The reader of the output may leave (`| head`); a service goes on, and a command still ends with its own code.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', ignoreBrokenPipe)
  return new Output({
    stdout: (text) => void process.stdout.write(text),
    stderr: (text) => void process.stderr.write(text),
    colour: process.stdout.isTTY === true && !env.NO_COLOR,
  })
}

/** `90061` → `1 d 1 h`: the two greatest units. */
export function duration(seconds: number): string {
  const parts: string[] = []
  let rest = Math.floor(seconds)
  for (const [unit, size] of [
    ['d', 86_400],
    ['h', 3600],
    ['min', 60],
    ['s', 1],
  ] as const) {
    const count = Math.floor(rest / size)
    rest -= count * size
    if (count > 0 || (unit === 's' && parts.length === 0)) parts.push(`${count} ${unit}`)
  }
  return parts.slice(0, 2).join(' ')
}

function ignoreBrokenPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
}
