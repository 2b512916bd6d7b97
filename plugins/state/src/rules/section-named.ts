import { cutText, markdownHeadings } from '@gateway/sdk'
import { titleOf } from './headings.ts'

/** No caller asks for a longer beginning of a title. */
const MAX_BEGINNING = 200

/** The body of the first section whose heading begins so, in any case; '' when there is none. */
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
