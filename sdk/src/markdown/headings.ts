import { type MarkdownHeading, Scan } from './scan.ts'

/**
 * The headings of a document in their order, by the rules of CommonMark: a `#` in a code fence does not count, a line above `===` does.
 * With `until`, the list ends with the first heading that begins at this offset or behind it. Each line is read once, so the time
 * depends on the length alone.
 */
export function markdownHeadings(markdown: string, until = Number.POSITIVE_INFINITY): readonly MarkdownHeading[] {
  const scan = new Scan(markdown)
  scan.read(until)
  return scan.headings
}
