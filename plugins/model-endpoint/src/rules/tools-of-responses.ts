import { createHash } from 'node:crypto'
import type { Tool } from './conversation.ts'
import { flag, listAt, object, requireObject, schemaAt, text, untranslatable } from './json.ts'

/** A tool as the client of responses knows it, and as a provider of another wire sees it. */
export interface ResponsesTool {
  /** The input of a custom tool is a text, which a provider gives as the one argument `input`. */
  readonly kind: 'function' | 'custom'
  readonly name: string
  readonly namespace: string | undefined
  readonly tool: Tool
}

/** Longest name that all providers take. */
const MAX_NAME = 64
const DIGEST = 8

/** Name of a tool outside of its namespace. A long one is cut and stays unique. */
export function flatName(name: string, namespace: string | undefined): string {
  const flat = namespace === undefined ? name : `${namespace}__${name}`
  if (namespace === undefined || flat.length <= MAX_NAME) return flat
  return `${flat.slice(0, MAX_NAME - DIGEST - 1)}_${createHash('sha256').update(flat).digest('hex').slice(0, DIGEST)}`
}

/**
 * Tools of a body of responses by their flat names. The offer of a web search is left out: the vendor of that wire runs it, and a model
 * need not search. Every other tool that a vendor runs is refused by its name.
 */
export function toolsOf(given: unknown): ReadonlyMap<string, ResponsesTool> {
  const tools = listAt(given, 'tools').flatMap((one, at) => toolsAt(one, `tools[${at}]`, undefined))
  return new Map(tools.map((tool) => [tool.tool.name, tool]))
}

function toolsAt(given: unknown, where: string, namespace: string | undefined): readonly ResponsesTool[] {
  const offered = requireObject(given, where)
  const { type, name, description, parameters, format, tools } = offered
  if (type === 'web_search') return []
  if (typeof name !== 'string' || name === '') return untranslatable(`${where}.${String(type)}`)
  if (type === 'namespace' && namespace === undefined)
    return listAt(tools, `${where}.tools`).flatMap((one, at) => toolsAt(one, `${where}.tools[${at}]`, name))
  const named = { name, namespace }
  const flat = flatName(name, namespace)
  if (type === 'function') {
    const strict = flag(offered, 'strict', `${where}.`)
    const tool = { name: flat, description: text(description), input: schemaAt(parameters, `${where}.parameters`), strict }
    return [{ kind: 'function', ...named, tool }]
  }
  if (type !== 'custom') return untranslatable(`${where}.${String(type)}`)
  const grammar = text(object(format)?.definition)
  const says = [text(description), grammar && `The input follows this grammar:\n${grammar}`].filter(Boolean).join('\n\n')
  const input = { type: 'object', properties: { input: { type: 'string' } }, required: ['input'], additionalProperties: false }
  return [{ kind: 'custom', ...named, tool: { name: flat, description: says || undefined, input } }]
}

/** Arguments of a call of a custom tool, and back. A provider that gave none of the expected form is taken at its word. */
export const customArguments = (input: unknown): string => JSON.stringify({ input: text(input) ?? '' })
export function customInput(given: string): string {
  try {
    const named = object(JSON.parse(given))
    return text(named?.input) ?? (named && Object.keys(named).length === 0 ? '' : given)
  } catch {
    return given
  }
}
