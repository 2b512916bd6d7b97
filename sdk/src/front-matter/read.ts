import { plainMembers } from './plain.ts'
import { splitFrontMatter } from './split.ts'

/** The front matter that a text begins with, and its content. */
export interface FrontMatter {
  /** The members of the front matter; absent for a text without any, which is then content as a whole. */
  readonly head?: Readonly<Record<string, unknown>>
  readonly body: string
  /** The reason why a block that looks like front matter could not be read. */
  readonly fault?: string
}

/** Aliases in YAML can make a short text a very large value. */
const MAX_ALIASES = 10
/** The parser of YAML takes some milliseconds for each 1,000 characters at worst. A longer block is read as plain members. */
const MAX_YAML = 8_192

/**
 * Loads a reader of front matter, the block between two lines of `---` at the beginning of a Markdown file. It reads YAML, and members that
 * YAML refuses as plain text, such as `description: Use when: asked`. A block that is neither is content. Line ends of Windows and a byte
 * order mark are accepted.
 */
export async function frontMatterReader(): Promise<(text: string) => FrontMatter> {
  const { parse } = await import('yaml')
  const fromYaml = (block: string): unknown =>
    parse(block, { maxAliasCount: MAX_ALIASES, prettyErrors: false, uniqueKeys: false, logLevel: 'error' })
  return (text) => {
    const split = splitFrontMatter(text)
    if (split === undefined) return { body: text.replace(/^\ufeff/, '') }
    const read = membersOf(split.block, fromYaml)
    if ('members' in read) return { head: read.members, body: split.body }
    return { body: text.replace(/^\ufeff/, ''), ...read }
  }
}

type Members = Readonly<Record<string, unknown>>

function membersOf(block: string, fromYaml: (block: string) => unknown): { readonly members: Members } | { readonly fault?: string } {
  const json = jsonMembers(block)
  if (json) return { members: json }
  if (block.length > MAX_YAML) return plainMembers(block) ?? {}
  try {
    const value = fromYaml(block)
    if (value === null) return { members: {} }
    return typeof value === 'object' && !Array.isArray(value) ? { members: value as Members } : {}
  } catch {
    return plainMembers(block) ?? {}
  }
}

/** Reads members whose values are JSON, a line each, which needs no parser of YAML. */
function jsonMembers(block: string): Members | undefined {
  const members: [string, unknown][] = []
  for (const line of block === '' ? [] : block.replace(/\n$/, '').split('\n')) {
    const [, name, json] = /^([A-Za-z_]\w*): (["[{\d].*)$/.exec(line) ?? []
    if (name === undefined) return undefined
    try {
      members.push([name, JSON.parse(json as string)])
    } catch {
      return undefined
    }
  }
  return Object.fromEntries(members)
}
