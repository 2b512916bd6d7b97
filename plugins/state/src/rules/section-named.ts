import { cutText, markdownHeadings } from '@gateway/sdk'
import { titleOf } from './headings.ts'

/** Maximum length of a beginning of a title; no caller needs more. */
const MAX_BEGINNING = 200

/** Returns the body of the first section whose heading begins with the name, in any case; '' if none matches. */
export function sectionNamed(markdown: string, beginnings: readonly string[]): string {
  const headings = markdownHeadings(markdown)
  const at = headings.findIndex(({ words }) => {
    const title = titleOf(cutText(words, MAX_BEGINNING)).toLowerCase()
    return beginnings.some((one) => title.startsWith(one))
  })
  const heading = headings[at]
  if (!heading) return ''
  const next = headings.slice(at + 1).find(({ level }) => level <= heading.level)
  return markdown.slice(heading.end, next?.start).trim()
}
