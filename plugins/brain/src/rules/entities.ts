import type { EntityKind } from '../schema.ts'

export interface Entity {
  readonly kind: EntityKind
  readonly name: string
}

const MAX_TEXT = 50_000
/** Entities per atom and kind: the first of each kind are its main subjects. */
const MAX_EACH = 12

/** Pattern of each kind; the first group is the name. Every repetition is bounded, so the cost is linear in the text. */
const PATTERNS: readonly (readonly [EntityKind, RegExp])[] = [
  ['file', /(?<![\w@:/.-])((?:[\w.-]{1,60}\/){1,12}[\w.-]{1,80}\.[A-Za-z]\w{0,7})\b/g],
  ['file', /(?<![\w@:/.-])([\w-]{1,60}\.(?:tsx?|jsx?|mjs|py|go|rs|md|json|ya?ml|toml|sql|sh|java|rb|css|html|c|h|cpp))\b/g],
  ['person', /(?<![\w.@/])@([A-Za-z][\w-]{1,38})\b/g],
  ['decision', /\b(ADR[- ]?\d{1,5})\b/g],
  ['decision', /^[ \t>*-]{0,6}(?:\*\*)?Decision(?:\*\*)?:[ \t*]{0,4}([^\n]{3,120})/gim],
  ['feature', /\bfeat(?:ure)?\(([\w-]{2,40})\)/g],
  ['feature', /\bfeature[:/] ?([A-Za-z][\w-]{1,40})/gi],
  ['feature', /(?<![\w#&/])#([A-Za-z][\w-]{2,40})\b/g],
]

/** Returns the entities of an atom: its repo, and names in its text that have one of the usual forms. */
export function entitiesOf(content: string, repos: readonly (string | undefined)[]): readonly Entity[] {
  const found = new Map<string, Entity>()
  const counts = new Map<EntityKind, number>()
  const add = (kind: EntityKind, raw: string): void => {
    const name = raw
      .trim()
      .replace(/[.,;:*]+$/, '')
      .trim()
    const key = `${kind}:${name.toLowerCase()}`
    const count = counts.get(kind) ?? 0
    if (name === '' || found.has(key) || count >= MAX_EACH) return
    found.set(key, { kind, name })
    counts.set(kind, count + 1)
  }
  for (const repo of repos) if (repo) add('repo', repo)
  const text = content.slice(0, MAX_TEXT)
  for (const [kind, pattern] of PATTERNS) for (const match of text.matchAll(pattern)) add(kind, match[1] as string)
  return [...found.values()]
}

export const entityKey = ({ kind, name }: Entity): string => `${kind}:${name}`
export function readEntity(key: string): Entity {
  const at = key.indexOf(':')
  return { kind: key.slice(0, at) as EntityKind, name: key.slice(at + 1) }
}
