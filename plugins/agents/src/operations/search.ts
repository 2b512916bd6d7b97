import { BadRequest, cutText } from '@gateway/sdk'

/** A caller’s pattern, in whatever case. It runs on RE2, whose time grows with the text alone. Throws BAD_REQUEST for what is no pattern. */
export async function matcherOf(pattern: string | undefined): Promise<(texts: readonly string[]) => boolean> {
  if (pattern === undefined || pattern === '') return () => true
  // Loaded with the first search: most gateways never see one.
  const { RE2JS } = await import('re2js')
  try {
    const compiled = RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE)
    return (texts) => texts.some((text) => compiled.matcher(text).find())
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    const got = JSON.stringify(cutText(pattern, 200))
    throw BadRequest({
      field: 'search',
      message: `\`search\` must be a regular expression in RE2’s syntax; got ${got}: ${cutText(why, 200)}.`,
    })
  }
}
