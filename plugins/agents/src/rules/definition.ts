import { TIERS, type Tier } from '@gateway/plugin-providers/api'
import { type Agent, CATEGORIES, type Category, type Hook, type Rule, type Skill } from '../schema.ts'

export const KINDS = ['agent', 'skill', 'hook', 'rule'] as const
export type Kind = (typeof KINDS)[number]
export interface Definitions {
  readonly agent: Agent
  readonly skill: Skill
  readonly hook: Hook
  readonly rule: Rule
}
export type Origin = Agent['origin']

/** What is wrong with a definition, for whoever wrote it. */
export class Faulty extends Error {
  override readonly name = 'Faulty'
}

const NAME = /^[a-z0-9][a-z0-9-]{0,99}$/
const MAX_DESCRIPTION = 500

type Head = Readonly<Record<string, unknown>>

/** A definition from its front matter and what stands below it. Throws `Faulty`. */
export function readDefinition<K extends Kind>(kind: K, head: Head, body: string, origin: Origin): Definitions[K] {
  const name = text(head, 'name')
  if (!NAME.test(name)) throw new Faulty(`name must be of a-z, 0-9 and hyphens; got ${JSON.stringify(name)}`)
  const description = text(head, 'description')
  if (description.length > MAX_DESCRIPTION) throw new Faulty(`description has more than ${MAX_DESCRIPTION} characters`)
  const below = body.trim()
  if (below === '') throw new Faulty('nothing stands below the front matter')
  return READERS[kind]({ name, description, origin }, head, below) as Definitions[K]
}

interface Named {
  readonly name: string
  readonly description: string
  readonly origin: Origin
}
const READERS: { readonly [K in Kind]: (named: Named, head: Head, body: string) => Definitions[K] } = {
  agent(named, head, instructions) {
    const tools = texts(head, 'tools')
    const category = oneOf<Category>(head, 'category', CATEGORIES)
    const tier = head.tier === undefined ? undefined : oneOf<Tier>(head, 'tier', TIERS)
    return { ...named, category, toolCount: tools.length, ...(tier && { tier }), tools, standing: head.standing === true, instructions }
  },
  skill: (named, head, playbook) => ({
    ...named,
    triggers: texts(head, 'triggers'),
    ...(head.agent !== undefined && { agent: text(head, 'agent') }),
    playbook,
  }),
  hook: (named, head, content) => ({ ...named, event: text(head, 'event'), tools: texts(head, 'tools'), content }),
  rule: (named, head, content) => ({ ...named, category: text(head, 'category'), content }),
}

function text(head: Head, field: string): string {
  const value = head[field]
  if (typeof value !== 'string' || value.trim() === '') throw new Faulty(`${field} must be a text`)
  return value.trim()
}

function texts(head: Head, field: string): string[] {
  const value = head[field] ?? []
  if (!Array.isArray(value) || value.length > 200 || !value.every((one) => typeof one === 'string')) {
    throw new Faulty(`${field} must be a list of texts`)
  }
  return value as string[]
}

function oneOf<T extends string>(head: Head, field: string, allowed: readonly T[]): T {
  const value = head[field]
  if (!allowed.includes(value as T)) throw new Faulty(`${field} must be one of ${allowed.join(', ')}; got ${JSON.stringify(value)}`)
  return value as T
}

/** The forms that lists have: without what is long. */
export function short(kind: Kind, whole: Definitions[Kind]): object {
  if (kind === 'agent') {
    const { name, category, description, toolCount, tier, origin } = whole as Agent
    return { name, category, description, toolCount, ...(tier && { tier }), origin }
  }
  if (kind === 'skill') {
    const { playbook: _playbook, ...summary } = whole as Skill
    return summary
  }
  if (kind === 'rule') {
    const { content: _content, ...summary } = whole as Rule
    return summary
  }
  return whole
}
