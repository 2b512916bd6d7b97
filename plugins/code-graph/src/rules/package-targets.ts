import { holeOf } from './tsconfig.ts'

/** Returns the targets that an `exports` or `imports` field has for a key, of all conditions and arrays, in their order. */
export function targetsFor(field: unknown, key: string): readonly string[] {
  if (typeof field !== 'object' || field === null || Array.isArray(field)) return key === '.' ? leaves(field) : []
  const entries = Object.entries(field)
  if (!entries.some(([name]) => name.startsWith('.') || name.startsWith('#'))) return key === '.' ? leaves(field) : []
  const matches = entries.flatMap(([pattern, value]) => {
    // A folder in the notation from before patterns: `"./lib/": "./src/"`.
    const hole = pattern.endsWith('/') ? holeOf(`${pattern}*`, key) : holeOf(pattern, key)
    return hole === undefined ? [] : [{ pattern, hole, value }]
  })
  const [best] = matches.sort((a, b) => weight(b.pattern) - weight(a.pattern) || b.pattern.length - a.pattern.length)
  if (!best) return []
  return leaves(best.value).map((target) => (target.endsWith('/') ? target + best.hole : target.replaceAll('*', () => best.hole)))
}

/** An exact name comes first, then the pattern with the longest prefix. */
const weight = (pattern: string): number =>
  pattern.includes('*') ? pattern.indexOf('*') : pattern.endsWith('/') ? pattern.length : Infinity

/** Returns all texts in a value of conditions and arrays. `null` excludes a path. */
function leaves(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : []
}
