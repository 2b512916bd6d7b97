import { readFileSync } from 'node:fs'
import type { ToolInfo } from '@gateway/sdk'

/** A tool of the full catalogue, as far as searching for it needs to know: its argument names, not their schemas. */
export interface Row {
  readonly name: string
  readonly family: string
  readonly effect: ToolInfo['effect']
  readonly description: string
  readonly args: readonly string[]
  /** Whether it stands, or is to stand, in the core list. */
  readonly core?: true
}

const read = <T>(file: string): T => JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8')) as T

/** Every tool the gateway is made for, those still to come included: search must find its way among all of them. */
export const catalogue: readonly Row[] = read('tools.json')

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
