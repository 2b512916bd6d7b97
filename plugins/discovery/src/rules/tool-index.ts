import type { ToolInfo } from '@gateway/sdk'
import { synonyms } from './synonyms.ts'
import { isQuestion, words } from './words.ts'

/** Weight of a word by its field. The name is the shortest summary of a tool; its arguments say the least. */
const WEIGHTS = { name: 4, family: 2, description: 2, argument: 1, explanation: 0.4 } as const
type Field = keyof typeof WEIGHTS
const FIELDS = Object.keys(WEIGHTS) as Field[]

/** Saturation of a word's weight: the higher, the longer repetition and short texts add to it. */
const SATURATION = 2.5
/** Weight of a synonym relative to the word itself. */
const SYNONYM = 0.75
/** Shorter words are contained in too many others. */
const ALIKE = 4
/** Factor by which a question more likely means a tool that only reads. */
const QUESTION = 1.4

interface Entry {
  readonly tool: number
  readonly weight: number
}

/**
 * Finds tools by words: BM25 over weighted fields, with synonyms. Built once for a set of tools; a search then checks only the
 * tools that have one of its words.
 */
export class ToolIndex {
  readonly #tools: readonly ToolInfo[]
  readonly #entries = new Map<string, Entry[]>()
  readonly #byName: ReadonlyMap<string, number>

  constructor(tools: readonly ToolInfo[]) {
    this.#tools = tools
    this.#byName = new Map(tools.map(({ name }, at) => [name, at]))
    const texts = tools.map(fieldsOf)
    const averages = averageLengths(texts)
    texts.forEach((text, tool) => {
      for (const [word, weight] of weigh(text, averages)) {
        const known = this.#entries.get(word)
        if (known) known.push({ tool, weight })
        else this.#entries.set(word, [{ tool, weight }])
      }
    })
  }

  /**
   * Returns the best first. A tool that shares no word with the query is left out; a tool whose name equals the query comes
   * first.
   */
  search(query: string): ToolInfo[] {
    const scores = new Map<number, number>()
    for (const word of new Set(words(query))) {
      for (const [tool, score] of this.#scores(word)) scores.set(tool, (scores.get(tool) ?? 0) + score)
    }
    if (isQuestion(query)) {
      for (const [tool, score] of scores) if (this.#tools[tool]?.effect === 'read') scores.set(tool, score * QUESTION)
    }
    const named = this.#byName.get(query.trim().toLowerCase())
    if (named !== undefined) scores.set(named, Number.POSITIVE_INFINITY)
    // Equal scores keep the order of the list.
    return [...scores].sort(([a, x], [b, y]) => y - x || a - b).map(([tool]) => this.#tools[tool] as ToolInfo)
  }

  /** Per tool, the best score of the word and its synonyms: a tool that has several of them is not counted several times. */
  #scores(word: string): ReadonlyMap<number, number> {
    const best = new Map<number, number>()
    // A rare synonym counts no more than the word that was used.
    const limit = this.#rarity(word)
    const add = (one: string, factor: number): void => {
      const rarity = factor * Math.min(limit, this.#rarity(one))
      for (const { tool, weight } of this.#entries.get(one) ?? []) {
        const score = (rarity * weight) / (SATURATION + weight)
        if (score > (best.get(tool) ?? 0)) best.set(tool, score)
      }
    }
    add(word, 1)
    for (const other of synonyms.get(word) ?? []) add(other, SYNONYM)
    if (best.size === 0) for (const other of this.#alike(word)) add(other, SYNONYM)
    return best
  }

  #rarity(word: string): number {
    const having = this.#entries.get(word)?.length ?? 0
    return Math.log(1 + (this.#tools.length - having + 0.5) / (having + 0.5))
  }

  /** For a word that no tool has: returns words that it contains, or that it begins, as with "unhealthy" or "maint". */
  #alike(word: string): string[] {
    if (word.length < ALIKE) return []
    const known = [...this.#entries.keys()].filter((other) => other.length >= ALIKE)
    return known.filter((other) => other.startsWith(word) || word.includes(other))
  }
}

type Text = Readonly<Record<Field, readonly string[]>>

interface Argument {
  readonly description?: string
  readonly enum?: readonly unknown[]
}

function fieldsOf({ name, plugin, description, input }: ToolInfo): Text {
  const { properties = {} } = input as { properties?: Readonly<Record<string, Argument>> }
  return {
    name: words(name),
    family: words(plugin),
    description: words(description),
    argument: Object.keys(properties).flatMap(words),
    explanation: Object.values(properties).flatMap(({ description = '', enum: values = [] }) =>
      words(`${description} ${values.join(' ')}`),
    ),
  }
}

function averageLengths(texts: readonly Text[]): ReadonlyMap<Field, number> {
  return new Map(FIELDS.map((field) => [field, texts.reduce((sum, text) => sum + text[field].length, 0) / texts.length]))
}

/** Returns every word of a tool with its weight: lower in a field that is longer than average, summed over the fields. */
function weigh(text: Text, averages: ReadonlyMap<Field, number>): ReadonlyMap<string, number> {
  const weights = new Map<string, number>()
  for (const field of FIELDS) {
    const each = (WEIGHTS[field] * (averages.get(field) ?? 0)) / text[field].length
    for (const word of text[field]) weights.set(word, (weights.get(word) ?? 0) + each)
  }
  return weights
}
