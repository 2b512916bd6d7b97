import { TIERS, type Tier, WORK_TYPES, type WorkType } from '@gateway/plugin-providers/api'
import { cutText } from '@gateway/sdk'
import {
  type Agent,
  type Place as Applies,
  CATEGORIES,
  type Category,
  type Hook,
  PLACES,
  RUNS,
  type Rule,
  type Runs,
  type Skill,
} from '../schema.ts'
import { categoryNamed, categoryOfFolders } from './categories.ts'
import { tierOfModel } from './vendor-models.ts'

export const KINDS = ['agent', 'skill', 'hook', 'rule'] as const
export type Kind = (typeof KINDS)[number]
export interface Definitions {
  readonly agent: Agent
  readonly skill: Skill
  readonly hook: Hook
  readonly rule: Rule
}
export type Origin = Agent['origin']

export class Faulty extends Error {
  override readonly name = 'Faulty'
}

const NAME = /^[a-z0-9][a-z0-9-]{0,99}$/
/** Collections put whole examples into descriptions. */
const MAX_DESCRIPTION = 8_192
const MAX_DESCRIPTION_IN_LISTS = 500
const MAX_TOOLS = 200

type Head = Readonly<Record<string, unknown>>
export interface Place {
  readonly origin: Origin
  /** Folders between the folder of its kind and its file, the outermost first. */
  readonly folders: readonly string[]
}

/** Reads a definition from its front matter and the text below. Throws `Faulty`. */
export function readDefinition<K extends Kind>(kind: K, head: Head, body: string, { origin, folders }: Place): Definitions[K] {
  // The folder of a skill carries its name.
  const name = nameFrom(kind === 'skill' && head.name === undefined ? (folders.at(-1) ?? '') : text(head, 'name'))
  const description = cutText(text(head, 'description'), MAX_DESCRIPTION)
  const below = body.trim()
  if (below === '') throw new Faulty('the text below the front matter is missing')
  return READERS[kind]({ name, description, origin }, head, below, folders) as Definitions[K]
}

/** Turns `Frontend Developer` into `frontend-developer`. */
function nameFrom(given: string): string {
  const plain = given.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  const name = plain
    .replace(/[\s_./:&+]+/g, '-')
    .replace(/-{2,}/g, '-')
    .replace(/^-|-$/g, '')
  if (!NAME.test(name)) throw new Faulty(`name must be of a-z, 0-9 and hyphens; got ${JSON.stringify(given)}`)
  return name
}

interface Named {
  readonly name: string
  readonly description: string
  readonly origin: Origin
}
const READERS: { readonly [K in Kind]: (named: Named, head: Head, body: string, folders: readonly string[]) => Definitions[K] } = {
  agent(named, head, instructions, folders) {
    const tools = texts(head, 'tools')
    const category = head.category === undefined ? categoryOfFolders(folders) : categoryFrom(head)
    const tier = head.tier === undefined ? tierOfModel(String(head.model ?? '')) : oneOf<Tier>(head, 'tier', TIERS)
    const runs = head.runs === undefined ? 'runner' : oneOf<Runs>(head, 'runs', RUNS)
    const workType = head.workType === undefined ? undefined : oneOf<WorkType>(head, 'workType', WORK_TYPES)
    const standing = head.standing === true
    const says = { category, toolCount: tools.length, ...(tier && { tier }), runs, tools, ...(workType && { workType }) }
    return { ...named, ...says, standing, instructions }
  },
  skill: (named, head, playbook) => ({
    ...named,
    triggers: texts(head, 'triggers'),
    ...(head.agent !== undefined && { agent: text(head, 'agent') }),
    playbook,
  }),
  hook: (named, head, content) => ({
    ...named,
    event: text(head, 'event'),
    tools: texts(head, 'tools'),
    applies: places(head, ['boot']),
    content,
  }),
  rule: (named, head, content, folders) => ({
    ...named,
    applies: places(head, ['invocation']),
    category: head.category === undefined ? (folders.at(-1) ?? 'general') : text(head, 'category'),
    content,
  }),
}

function categoryFrom(head: Head): Category {
  const { category } = head
  return (typeof category === 'string' ? categoryNamed(category) : undefined) ?? oneOf<Category>(head, 'category', CATEGORIES)
}

function text(head: Head, field: string): string {
  const value = head[field]
  if (typeof value !== 'string' || value.trim() === '') throw new Faulty(`${field} must be a text`)
  return value.trim()
}

/**
 * Reads a list, or one text with commas between its items. Commas within parentheses belong to an item: `Bash(git add, git
 * commit)`.
 */
function texts(head: Head, field: string): string[] {
  const value = head[field] ?? []
  const list = typeof value === 'string' ? (value.match(/(?:\([^()]*\)|[^,()])+/g) ?? []) : value
  if (!Array.isArray(list) || list.length > MAX_TOOLS || !list.every((one) => typeof one === 'string')) {
    throw new Faulty(`${field} must be a list of texts, or texts with commas between them`)
  }
  return list.map((one) => one.trim()).filter(Boolean)
}

function places(head: Head, otherwise: Applies[]): Applies[] {
  if (head.applies === undefined) return otherwise
  const given = texts(head, 'applies')
  const unknown = given.find((one) => !PLACES.includes(one as Applies))
  if (unknown !== undefined || given.length === 0)
    throw new Faulty(`applies must be a list of ${PLACES.join(', ')}; got ${JSON.stringify(head.applies)}`)
  return PLACES.filter((one) => given.includes(one))
}

function oneOf<T extends string>(head: Head, field: string, allowed: readonly T[]): T {
  const value = head[field]
  if (!allowed.includes(value as T)) throw new Faulty(`${field} must be one of ${allowed.join(', ')}; got ${JSON.stringify(value)}`)
  return value as T
}

/** Returns the form used in lists, without long fields. */
export function short(kind: Kind, whole: Definitions[Kind]): object {
  const isLong = whole.description.length > MAX_DESCRIPTION_IN_LISTS
  const description = isLong ? `${cutText(whole.description, MAX_DESCRIPTION_IN_LISTS - 1)}…` : whole.description
  if (kind === 'agent') {
    const { name, category, toolCount, tier, runs, origin } = whole as Agent
    return { name, category, description, toolCount, ...(tier && { tier }), runs, origin }
  }
  if (kind === 'skill') {
    const { playbook: _playbook, ...summary } = whole as Skill
    return { ...summary, description }
  }
  if (kind === 'rule') {
    const { content: _content, ...summary } = whole as Rule
    return { ...summary, description }
  }
  return whole
}
