/**
 * Meaning of the collection contract, written as plainly as possible and independent of any adapter: the random tests compare
 * every store with this.
 */
export type OracleDoc = Record<string, unknown>
type Loose = Record<string, unknown>

export function meets(doc: OracleDoc, filter: object, nowMs: number): boolean {
  return Object.entries(filter).every(([field, entry]) => {
    if (field === 'and') return (entry as object[]).every((part) => meets(doc, part, nowMs))
    if (field === 'or') return (entry as object[]).some((part) => meets(doc, part, nowMs))
    if (field === 'not') return !meets(doc, entry as object, nowMs)
    const conditions = isCondition(entry) ? entry : { eq: entry }
    return Object.entries(conditions).every(([operator, operand]) => holds(operator, doc[field] ?? null, timed(operand, nowMs)))
  })
}

function isCondition(entry: unknown): entry is Loose {
  return typeof entry === 'object' && entry !== null && !('$now' in entry)
}

function timed(value: unknown, nowMs: number): unknown {
  if (Array.isArray(value)) return value.map((element) => timed(element, nowMs))
  if (typeof value === 'object' && value !== null && '$now' in value) return new Date(nowMs + (value.$now as number)).toISOString()
  return value
}

function holds(operator: string, value: unknown, operand: unknown): boolean {
  const ordered = value !== null && typeof value === typeof operand
  switch (operator) {
    case 'eq':
      return value === operand
    case 'ne':
      return value !== operand
    case 'in':
      return (operand as unknown[]).some((one) => one === value)
    case 'nin':
      return (operand as unknown[]).every((one) => one !== value)
    case 'lt':
      return ordered && order(value, operand) < 0
    case 'lte':
      return ordered && order(value, operand) <= 0
    case 'gt':
      return ordered && order(value, operand) > 0
    case 'gte':
      return ordered && order(value, operand) >= 0
    case 'exists':
      return (value !== null) === operand
    case 'prefix':
      return typeof value === 'string' && value.indexOf(operand as string) === 0
    case 'contains':
      return typeof value === 'string' && lower(value).includes(lower(operand as string))
    case 'has':
      return Array.isArray(value) && value.some((element) => JSON.stringify(element) === JSON.stringify(operand))
    default:
      throw new Error(`no condition ${operator}`)
  }
}

function lower(text: string): string {
  return [...text].map((character) => (character >= 'A' && character <= 'Z' ? character.toLowerCase() : character)).join('')
}

/** Orders null first, then numbers (booleans as 0 and 1), then strings by code point. */
function order(a: unknown, b: unknown): number {
  if (typeof a === 'boolean') return order(Number(a), b)
  if (typeof b === 'boolean') return order(a, Number(b))
  const rank = (value: unknown): number => (value === null || value === undefined ? 0 : typeof value === 'number' ? 1 : 2)
  if (rank(a) !== rank(b)) return rank(a) - rank(b)
  if (rank(a) === 0) return 0
  if (typeof a === 'number') return a - (b as number)
  return Buffer.compare(Buffer.from(a as string), Buffer.from(b as string))
}

export function sorted(docs: readonly OracleDoc[], sort: object, key: string): OracleDoc[] {
  const keys = Object.entries(sort) as [string, 1 | -1][]
  const tie = keys.at(-1)?.[1] ?? 1
  return [...docs].sort((a, b) => {
    for (const [field, direction] of [...keys, [key, tie] as const]) {
      const difference = order(a[field], b[field]) * direction
      if (difference !== 0) return difference
    }
    return 0
  })
}

/** Returns the document after an update; `undefined` if the update does not fit it. */
export function updated(doc: OracleDoc, update: Readonly<Record<string, unknown>>, nowMs: number): OracleDoc | undefined {
  const next = structuredClone(doc)
  const each = (operator: string): [string, unknown][] =>
    Object.entries((update[operator] ?? {}) as Loose).map(([field, operand]) => [field, timed(operand, nowMs)])
  for (const [field, value] of each('set')) next[field] = value
  for (const field of (update.unset ?? []) as string[]) delete next[field]
  for (const [field, by] of each('inc')) {
    if (typeof (next[field] ?? 0) !== 'number') return undefined
    next[field] = ((next[field] ?? 0) as number) + (by as number)
  }
  for (const [field, value] of each('min')) if ((next[field] ?? null) === null || order(value, next[field]) < 0) next[field] = value
  for (const [field, value] of each('max')) if ((next[field] ?? null) === null || order(value, next[field]) > 0) next[field] = value
  const listed = (field: string): unknown[] => (next[field] ?? []) as unknown[]
  const same = (a: unknown) => (b: unknown) => JSON.stringify(a) === JSON.stringify(b)
  for (const [field, element] of each('push')) next[field] = [...listed(field), element]
  for (const [field, element] of each('addToSet'))
    next[field] = listed(field).some(same(element)) ? listed(field) : [...listed(field), element]
  for (const [field, element] of each('pull')) {
    if ((next[field] ?? null) !== null) next[field] = listed(field).filter((one) => !same(element)(one))
  }
  return JSON.parse(JSON.stringify(next)) as OracleDoc
}
