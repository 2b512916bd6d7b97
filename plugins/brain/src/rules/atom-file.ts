import { createHash } from 'node:crypto'

/** Fields of the front matter of an atom or a stash. Lists and texts are JSON, which YAML reads as well. */
export interface FrontMatter {
  readonly kind?: string | undefined
  readonly repo?: string | undefined
  readonly slug?: string | undefined
  readonly topic?: string | undefined
  readonly created?: string | undefined
  readonly supersedes?: string | undefined
  readonly writer?: string | undefined
  readonly author?: string | undefined
  readonly code_repo?: string | undefined
  readonly code_branch?: string | undefined
  readonly code_sha?: string | undefined
  readonly code_commits?: readonly string[] | undefined
  /** Distinguishes two atoms that would be the same file. */
  readonly again?: string | undefined
}

const FENCE = '---\n'
const PLAIN = /^[A-Za-z_][A-Za-z0-9 ._/-]*$/
/** Words that YAML does not read as text. */
const READ_OTHERWISE = /^(true|false|yes|no|on|off|null|y|n)$/i
/** Maximum size of front matter, in bytes. */
export const MAX_FRONT = 64 * 1_024

export function renderAtom(front: FrontMatter, content: string): string {
  const lines = Object.entries(front).flatMap(([key, value]) => (value === undefined ? [] : [`${key}: ${scalar(value)}\n`]))
  return `${FENCE}${lines.join('')}${FENCE}\n${content}`
}

function scalar(value: string | readonly string[]): string {
  if (typeof value !== 'string') return JSON.stringify(value)
  return PLAIN.test(value) && !READ_OTHERWISE.test(value) ? value : JSON.stringify(value)
}

/** Anything that is not front matter is content: pushed files may have any form. */
export function parseAtom(text: string): { readonly front: FrontMatter; readonly content: string } {
  const end = text.startsWith(FENCE) ? text.indexOf(`\n${FENCE}`, FENCE.length - 1) : -1
  if (end < 0 || end > MAX_FRONT) return { front: {}, content: text }
  const front: Record<string, unknown> = {}
  for (const line of text.slice(FENCE.length, end + 1).split('\n')) {
    const [, key, value] = /^([a-z_]{1,40}): ?(.*)$/.exec(line) ?? []
    if (key !== undefined && value !== undefined) front[key] = unscalar(value)
  }
  return { front: known(front), content: text.slice(end + 1 + FENCE.length).replace(/^\n/, '') }
}

function unscalar(value: string): unknown {
  if (!/^["[]/.test(value)) return value.trim()
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

function known(front: Readonly<Record<string, unknown>>): FrontMatter {
  const texts = [
    'kind',
    'repo',
    'slug',
    'topic',
    'created',
    'supersedes',
    'writer',
    'author',
    'code_repo',
    'code_branch',
    'code_sha',
    'again',
  ] as const
  const commits = Array.isArray(front.code_commits) ? front.code_commits.filter((one) => typeof one === 'string') : []
  return {
    ...Object.fromEntries(texts.flatMap((key) => (typeof front[key] === 'string' ? [[key, (front[key] as string).slice(0, 1_000)]] : []))),
    ...(commits.length > 0 && { code_commits: commits as string[] }),
  }
}

/** Returns the id that git gives these bytes as a blob. */
export function blobId(text: string): string {
  const bytes = Buffer.from(text)
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
}

/** Returns the digest of the writer's input: the same digest is the same atom. */
export function digestOf(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)
}
