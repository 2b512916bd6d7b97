import { readFileSync } from 'node:fs'
import type { ToolInfo } from '@gateway/sdk'
import { ToolIndex } from '../src/rules/tool-index.ts'

/** A tool of the full catalogue, as far as searching for it needs to know: its argument names, not their schemas. */
interface Row {
  readonly name: string
  readonly family: string
  readonly effect: ToolInfo['effect']
  readonly description: string
  readonly args: readonly string[]
  /** Whether it stands, or is to stand, in the core list. */
  readonly core?: true
}

const read = <T>(file: string): T => JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8')) as T

/** The 189 tools the gateway is made for, those still to come included: search must find its way among all of them. */
export const catalogue: readonly Row[] = read('catalogue.json')

/** What agents ask for, and the tools that do it: any of them is a right answer. */
export const questions: readonly { readonly question: string; readonly expected: readonly string[] }[] = read('questions.json')

/** The catalogue as the index takes it; what is known better of a tool that exists stands in place of its row. */
export function catalogueTools(existing: readonly ToolInfo[] = []): ToolInfo[] {
  const known = new Map(existing.map((tool) => [tool.name, tool]))
  return catalogue.map(({ name, family, effect, description, args }) => {
    const properties = Object.fromEntries(args.map((argument) => [argument, {}]))
    return known.get(name) ?? { name, plugin: family, effect, description, capability: 'read', input: { properties } }
  })
}

export interface Quality {
  /** The share of questions with a right answer among the first five. */
  readonly recallAt5: number
  /** The mean of 1, 1/2, 1/3 … by the rank of the first right answer; 0 when there is none. */
  readonly meanReciprocalRank: number
  /** Questions without a right answer among the first five, with what came instead. */
  readonly missed: readonly string[]
}

/** How well these tools are found by the questions. */
export function searchQuality(tools: readonly ToolInfo[]): Quality {
  const index = new ToolIndex(tools)
  const missed: string[] = []
  let reciprocal = 0
  for (const { question, expected } of questions) {
    const found = index.search(question).map(({ name }) => name)
    const rank = found.findIndex((name) => expected.includes(name)) + 1
    if (rank > 0) reciprocal += 1 / rank
    if (rank === 0 || rank > 5) missed.push(`${question} → ${expected.join(' or ')}, not ${found.slice(0, 5).join(', ')}`)
  }
  return { recallAt5: 1 - missed.length / questions.length, meanReciprocalRank: reciprocal / questions.length, missed }
}
