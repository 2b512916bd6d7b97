import type { Resource } from '@gateway/sdk'
import type { Offered } from '../gateway.ts'

export interface ResourceMatch {
  readonly plugin: string
  readonly resource: Resource
  readonly variables: Readonly<Record<string, string>>
}

/** Finds the resource whose URI or URI template matches; exact URIs first. */
export function matchResource(resources: readonly Offered<Resource>[], uri: string): ResourceMatch | undefined {
  const exact = resources.find(({ item }) => item.uri === uri)
  if (exact) return { plugin: exact.plugin, resource: exact.item, variables: {} }
  for (const { plugin, item } of resources) {
    const variables = isTemplate(item.uri) ? matchTemplate(item.uri, uri) : undefined
    if (variables) return { plugin, resource: item, variables }
  }
  return undefined
}

export const isTemplate = (uri: string): boolean => uri.includes('{')

/**
 * RFC 6570 level 1: `{name}` matches one percent-encoded segment or a part of one. It does not use a regular expression: callers
 * write the URI, and with two variables in a segment a long one would take minutes.
 */
function matchTemplate(template: string, uri: string): Record<string, string> | undefined {
  const segments = template.split('/')
  const texts = uri.split('/')
  if (texts.length !== segments.length) return undefined
  const variables: Record<string, string> = {}
  for (const [i, segment] of segments.entries()) {
    const found = matchSegment(segment, texts[i] as string)
    if (found === undefined) return undefined
    Object.assign(variables, found)
  }
  return variables
}

/** Matches from the end: each literal is placed as late as possible, so that the first variable is the longest. */
function matchSegment(segment: string, text: string): Record<string, string> | undefined {
  // Literals at even indexes, names between them.
  const parts = segment.split(/\{([A-Za-z0-9_]+)\}/)
  const last = parts.at(-1) as string
  if (parts.length === 1) return text === last ? {} : undefined
  if (!text.endsWith(last)) return undefined
  const found: [string, string][] = []
  let end = text.length - last.length
  for (let i = parts.length - 2; i > 0; i -= 2) {
    const [before, name] = [parts[i - 1] as string, parts[i] as string]
    // Leaves at least one character for the variable.
    const latest = end - 1 - before.length
    if (latest < 0) return undefined
    const at = i > 1 ? text.lastIndexOf(before, latest) : text.startsWith(before) ? 0 : -1
    if (at < 0) return undefined
    found.push([name, text.slice(at + before.length, end)])
    end = at
  }
  return decoded(found.reverse())
}

/** Undefined for a percent sign that does not begin a character. */
function decoded(variables: readonly (readonly [string, string])[]): Record<string, string> | undefined {
  try {
    return Object.fromEntries(variables.map(([name, text]) => [name, decodeURIComponent(text)]))
  } catch {
    return undefined
  }
}
