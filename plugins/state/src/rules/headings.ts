import { type MarkdownHeading, markdownHeadings } from '@gateway/sdk'

export const titleOf = (words: string): string => words.trim().replaceAll(/\s+/g, ' ')

/** True when two headings have the same level and words, whatever their spacing. Most pairs differ in an early character. */
export function isSameHeading(a: MarkdownHeading, b: MarkdownHeading): boolean {
  if (a.level !== b.level) return false
  if (a.words === b.words) return true
  let at = 0
  while (at < a.words.length && a.words[at] === b.words[at]) at++
  const isSpacing = [a, b].some(({ words }) => /^\s/.test(words[at] ?? ''))
  return isSpacing && titleOf(a.words) === titleOf(b.words)
}

/**
 * Returns the headings of a content; undefined when it leaves a block open, such as a code fence, which would swallow a later
 * heading.
 */
export function closedHeadings(content: string): readonly MarkdownHeading[] | undefined {
  const probe = `${content}\n\n`
  const headings = markdownHeadings(`${probe}# x`)
  return headings.at(-1)?.start === probe.length ? headings.slice(0, -1) : undefined
}
