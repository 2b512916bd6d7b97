import { find, update } from 'mingo'

/**
 * The port's filters, sorts and updates in MongoDB's own language, answered by mingo, an independent implementation.
 * Differences between MongoDB and the port (null and absent, the order of text) are resolved beforehand.
 */
export type Doc = Record<string, unknown>
type Loose = Record<string, unknown>

/** Each document unchanged, and under `o` with its text encoded so that JavaScript orders it by code points. */
interface Shadowed {
  readonly p: Doc
  readonly o: Doc
}

export function matching(docs: readonly Doc[], where: object, sort: object, key: string, nowMs: number): Doc[] {
  const keys = Object.entries(sort) as [string, 1 | -1][]
  // No rows can tie after the id if the sort names it already.
  const order = key in sort ? keys : [...keys, [key, keys.at(-1)?.[1] ?? 1] as [string, 1 | -1]]
  const shadowed = docs.map((doc): Shadowed => ({ p: doc, o: encoded(withoutNulls(doc)) as Doc }))
  const found = find<Shadowed>(shadowed, toQuery(where, nowMs)).sort(
    Object.fromEntries(order.map(([field, direction]) => [`o.${field}`, direction])),
  )
  return found.all().map(({ p }) => p)
}

function toQuery(where: object, nowMs: number): Loose {
  const parts = Object.entries(where).map(([field, entry]): Loose => {
    if (field === 'and') return all((entry as object[]).map((part) => toQuery(part, nowMs)))
    if (field === 'or') return any((entry as object[]).map((part) => toQuery(part, nowMs)))
    if (field === 'not') return { $nor: [toQuery(entry as object, nowMs)] }
    const conditions = typeof entry === 'object' && entry !== null && !('$now' in entry) ? entry : { eq: entry }
    return all(Object.entries(conditions).map(([operator, operand]) => condition(field, operator, timed(operand, nowMs))))
  })
  return all(parts)
}

const all = (parts: readonly Loose[]): Loose => (parts.length === 0 ? {} : { $and: parts })
const any = (parts: readonly Loose[]): Loose => (parts.length === 0 ? { 'p.nothing': { $in: [] } } : { $or: parts })

const RENAMED: Readonly<Record<string, string>> = { eq: '$eq', ne: '$ne', in: '$in', nin: '$nin' }

function condition(field: string, operator: string, operand: unknown): Loose {
  const plain = `p.${field}`
  if (operator in RENAMED) return { [plain]: { [RENAMED[operator] as string]: operand } }
  switch (operator) {
    case 'exists':
      return { [plain]: operand ? { $ne: null } : { $eq: null } }
    case 'prefix':
      return { [plain]: { $regex: new RegExp(`^${literal(operand as string)}`, 'u') } }
    case 'contains':
      return { [plain]: { $regex: new RegExp(eitherCase(operand as string), 'u') } }
    case 'has':
      return { [plain]: { $elemMatch: { $eq: operand } } }
    default:
      return { [`o.${field}`]: { [`$${operator}`]: encoded(operand) } }
  }
}

const literal = (text: string): string => text.replaceAll(/[\^$\\.*+?()[\]{}|/]/gu, '\\$&')
const eitherCase = (text: string): string =>
  [...text].map((one) => (/[a-z]/i.test(one) && one < '\x7f' ? `[${one.toLowerCase()}${one.toUpperCase()}]` : literal(one))).join('')

/** The document after the update; `undefined` if MongoDB refuses it. */
export function changed(doc: Doc, change: Readonly<Record<string, unknown>>, nowMs: number): Doc | undefined {
  const next = encoded(doc) as Doc
  const operands = (operator: string): Loose => encoded(timed(change[operator] ?? {}, nowMs)) as Loose
  for (const operator of ['inc', 'min', 'max', 'push', 'addToSet', 'pull']) {
    // Null is absent here; to MongoDB it is a value below all others, and not a number.
    for (const field of Object.keys(operands(operator))) if (next[field] === null && operator !== 'pull') delete next[field]
  }
  // MongoDB refuses to add to a value that is not a number; mingo converts it.
  if (Object.keys(operands('inc')).some((field) => !['number', 'undefined'].includes(typeof next[field]))) return undefined
  // mingo's own $addToSet also removes earlier duplicates, which MongoDB's does not.
  const added = Object.entries(operands('addToSet')).filter(([field, element]) => !holds(next, field, element))
  const pulls = Object.entries(operands('pull')).filter(([field]) => Array.isArray(next[field]))
  const unset = Object.fromEntries(((change.unset ?? []) as string[]).map((field) => [field, '' as const]))
  const expression = {
    $set: operands('set'),
    $unset: unset,
    $inc: operands('inc'),
    $min: operands('min'),
    $max: operands('max'),
    $push: { ...operands('push'), ...Object.fromEntries(added) },
    $pull: Object.fromEntries(pulls.map(([field, element]) => [field, { $in: [element] }])),
  }
  for (const [operator, operand] of Object.entries(expression)) {
    if (Object.keys(operand).length > 0) update(next, { [operator]: operand } as never, [], {}, { cloneMode: 'deep' })
  }
  return decoded(next) as Doc
}

function timed(value: unknown, nowMs: number): unknown {
  if (typeof value === 'object' && value !== null && '$now' in value) return new Date(nowMs + (value.$now as number)).toISOString()
  return within(value, (member) => timed(member, nowMs))
}

const holds = (doc: Doc, field: string, element: unknown): boolean =>
  find([doc], { [field]: { $elemMatch: { $eq: element } } }).all().length > 0

const withoutNulls = (doc: Doc): Doc => Object.fromEntries(Object.entries(doc).filter(([, value]) => value !== null))

/** Six hexadecimal digits for each code point, whose order is that of code points. */
function encoded(value: unknown): unknown {
  if (typeof value === 'string') return [...value].map((one) => (one.codePointAt(0) as number).toString(16).padStart(6, '0')).join('')
  return within(value, encoded)
}

function decoded(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll(/.{6}/g, (digits) => String.fromCodePoint(Number.parseInt(digits, 16)))
  return within(value, decoded)
}

function within(value: unknown, each: (value: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(each)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, each(member)]))
}
