import { readFileSync } from 'node:fs'
import type { ToolInfo } from '@gateway/sdk'

/** A tool of the full catalogue with the data that search needs: its argument names, not their schemas. */
export interface Row {
  readonly name: string
  readonly family: string
  readonly effect: ToolInfo['effect']
  readonly description: string
  readonly args: readonly string[]
  /** Present if the tool is, or will be, in the core list. */
  readonly core?: true
}

const read = <T>(file: string): T => JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8')) as T

/** Every tool the gateway is made for, including planned ones: search must work among all of them. */
export const catalogue: readonly Row[] = read('tools.json')

/** Agents' questions and the tools that answer them: any of them is a right answer. */
export const questions: readonly { readonly question: string; readonly expected: readonly string[] }[] = read('questions.json')

/** Returns the catalogue as index input; data of an existing tool replaces its row. */
export function catalogueTools(existing: readonly ToolInfo[] = []): ToolInfo[] {
  const known = new Map(existing.map((tool) => [tool.name, tool]))
  return catalogue.map(({ name, family, effect, description, args }) => {
    const properties = Object.fromEntries(args.map((argument) => [argument, {}]))
    return known.get(name) ?? { name, plugin: family, effect, description, capability: 'read', input: { properties } }
  })
}
