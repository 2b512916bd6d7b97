import { BadRequest, cutText } from '@gateway/sdk'

/** Limit for the sum of all repetitions of a pattern: a few repeats of `(.?){1000}` make a program that takes long to compile. */
const MAX_REPEATS = 100
/** Maximum steps of a compiled pattern: a character may take all of them. */
const MAX_PROGRAM = 1_000

/**
 * Compiles a caller's pattern, case-insensitive. It runs on RE2, whose time grows only with the text and the pattern, and both
 * are bounded. Throws BAD_REQUEST for an invalid pattern.
 */
export async function matcherOf(pattern: string | undefined): Promise<(texts: readonly string[]) => boolean> {
  if (pattern === undefined || pattern === '') return () => true
  if (repeatsIn(pattern) > MAX_REPEATS) throw noPattern(pattern, `its repetitions add up to more than ${MAX_REPEATS}`)
  // Loaded with the first search, because most gateways never see one.
  const { RE2JS } = await import('re2js')
  const compile = () => RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE)
  let compiled: ReturnType<typeof compile>
  try {
    compiled = compile()
  } catch (error) {
    throw noPattern(pattern, error instanceof Error ? error.message : String(error))
  }
  if (compiled.programSize() > MAX_PROGRAM) throw noPattern(pattern, 'it is too large')
  // `test` is RE2's automaton, ten times as fast as its matcher.
  return (texts) => texts.some((text) => compiled.test(text))
}

function repeatsIn(pattern: string): number {
  let sum = 0
  for (const [, least, most] of pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)) sum += Math.max(Number(least), Number(most ?? 0))
  return sum
}

function noPattern(pattern: string, why: string): Error {
  const got = JSON.stringify(cutText(pattern, 200))
  return BadRequest({
    field: 'search',
    message: `\`search\` must be a regular expression in RE2’s syntax; got ${got}: ${cutText(why, 200)}.`,
  })
}
