import { headingsOf } from './headings.ts'

/** The body of the first section whose heading begins so, in any case; '' when there is none. */
export function sectionNamed(markdown: string, beginnings: readonly string[]): string {
  const headings = headingsOf(markdown)
  const at = headings.findIndex(({ title }) => beginnings.some((one) => title.toLowerCase().startsWith(one)))
  const heading = headings[at]
  if (!heading) return ''
  const next = headings.slice(at + 1).find(({ level }) => level <= heading.level)
  return markdown.slice(heading.end, next?.start).trim()
}
