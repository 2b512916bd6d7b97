import { markdownHeadings } from '@gateway/sdk'

const MARK = /<!-- ho-[0-9a-z]+ -->/
/** An entry has its mark right below its heading. */
const MARK_WITHIN = 200

/** Returns what a handoff file has beside the entries of handoff_write: text of people and of other programs; '' if there is none. */
export function withoutEntries(markdown: string): string {
  const sections = markdownHeadings(markdown).filter(({ level }) => level <= 2)
  const kept = sections.map(({ start, end }, at) => {
    const next = sections[at + 1]?.start ?? markdown.length
    return MARK.test(markdown.slice(end, Math.min(next, end + MARK_WITHIN))) ? '' : markdown.slice(start, next)
  })
  const text = [markdown.slice(0, sections[0]?.start), ...kept].join('').trim()
  const isOnlyHeadings = text.replaceAll(/^ {0,3}#{1,6}(?:\s.*)?$/gm, '').trim() === ''
  return isOnlyHeadings ? '' : text
}
