import type { Resource } from '@gateway/sdk'
import type { Offered } from '../gateway.ts'

export interface ResourceMatch {
  readonly plugin: string
  readonly resource: Resource
  readonly variables: Readonly<Record<string, string>>
}

/** The resource whose URI, or URI template, this URI meets; exact ones first. */
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

/** RFC 6570 level 1: `{name}` stands for one percent-encoded segment without a slash. */
function matchTemplate(template: string, uri: string): Record<string, string> | undefined {
  const names: string[] = []
  const pattern = template
    .split(/(\{[A-Za-z0-9_]+\})/)
    .map((part) => {
      const name = /^\{(.+)\}$/.exec(part)?.[1]
      if (name === undefined) return part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
      names.push(name)
      return '([^/]+)'
    })
    .join('')
  const match = new RegExp(`^${pattern}$`).exec(uri)
  if (!match) return undefined
  try {
    return Object.fromEntries(names.map((name, i) => [name, decodeURIComponent(match[i + 1] as string)]))
  } catch {
    return undefined
  }
}
