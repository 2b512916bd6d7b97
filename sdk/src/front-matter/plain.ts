const MEMBER = /^([A-Za-z_][\w.-]*(?: [\w.-]+)*)[ \t]*:(?:[ \t]+(.*))?$/
const ITEM = /^[ \t]*-[ \t]+(.*)$/
const SKIPPED = /^[ \t]*(?:#.*)?$/
const INDENTED = /^[ \t]+/

/** The members of a block, `undefined` for prose, or why its lines are not members. */
export type PlainMembers = { readonly members: Readonly<Record<string, unknown>> } | { readonly fault: string } | undefined

/**
 * Reads a block that YAML refuses as people write it: a name, a colon, and a text to the end of the line, which may itself have a colon.
 * Below a name, lines with a dash are a list and other indented lines continue the text. Lists in brackets must be complete.
 */
export function plainMembers(block: string): PlainMembers {
  const members = new Map<string, string | string[]>()
  let current: string | undefined
  for (const line of block.split('\n')) {
    if (SKIPPED.test(line)) continue
    const item = ITEM.exec(line)
    const before = current === undefined ? undefined : members.get(current)
    if (current !== undefined && item && (Array.isArray(before) || before === '')) {
      if (Array.isArray(before)) before.push(unquoted(item[1] ?? ''))
      else members.set(current, [unquoted(item[1] ?? '')])
      continue
    }
    if (current !== undefined && INDENTED.test(line) && typeof before === 'string') {
      members.set(current, [before.replace(/^[|>][-+]?$/, ''), line.trim()].filter(Boolean).join(' '))
      continue
    }
    const [, name, text = ''] = MEMBER.exec(line) ?? []
    if (name === undefined) return undefined
    const value = valueOf(text.trim())
    if (value === undefined) return { fault: `${name} is a list or an object that does not end` }
    current = name
    members.set(name, value)
  }
  return members.size === 0 ? undefined : { members: Object.fromEntries(members) }
}

function valueOf(text: string): string | string[] | undefined {
  if (text.startsWith('{') && !text.endsWith('}')) return undefined
  if (!text.startsWith('[')) return unquoted(text)
  return text.endsWith(']')
    ? text
        .slice(1, -1)
        .split(',')
        .map((one) => unquoted(one.trim()))
        .filter(Boolean)
    : undefined
}

function unquoted(text: string): string {
  const [, quote, inner] = /^(["'])(.*)\1$/.exec(text.trim()) ?? []
  return quote === undefined ? text.trim() : (inner as string)
}
