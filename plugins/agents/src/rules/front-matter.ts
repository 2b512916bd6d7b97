import { Faulty } from './definition.ts'

const FENCE = /^---\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/

/** What stands between the two fences, and what below them. Throws `Faulty` without them. */
export function splitFrontMatter(markdown: string): { readonly yaml: string; readonly body: string } {
  const found = FENCE.exec(markdown.replace(/^\ufeff/, ''))
  if (!found) throw new Faulty('it does not begin with front matter between two lines of ---')
  return { yaml: found[1] ?? '', body: markdown.replace(/^\ufeff/, '').slice(found[0].length) }
}
