import { type Heading, headingsOf, isSame } from './headings.ts'

export interface SectionChange {
  /** A whole heading line. Without one, `content` goes to the end of the document. */
  readonly heading?: string | undefined
  readonly content: string
  readonly mode: 'replace' | 'append'
}
/** The document after the change, or whose fault it is that there is none. */
export type Changed = { readonly document: string } | { readonly fault: string; readonly of: 'heading' | 'content' | 'document' }

const BYTE_ORDER_MARK = '\ufeff'

/**
 * Change one section of a document. A section goes from its heading to the next one of its level or above, so what stands below a
 * heading of a lower level is part of it. Everything outside of it stays as it is, to the byte; new lines end as the document’s do.
 */
export function changeSection(before: string, { heading, content, mode }: SectionChange): Changed {
  const wanted = heading === undefined ? undefined : asHeading(heading)
  if (heading !== undefined && !wanted) return { fault: 'must be one whole heading line, as `## Next`', of: 'heading' }
  if (!isClosed(content)) return { fault: 'leaves a code fence or an HTML block open, which would swallow what follows', of: 'content' }

  const mark = before.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : ''
  const text = before.slice(mark.length)
  const headings = headingsOf(text)
  const place = placeOf(text, headings, wanted)
  const isNew = place.heading === undefined && wanted !== undefined
  const kept = mode === 'append' || wanted === undefined ? text.slice(place.from, place.to) : ''
  const body = joined([...(isNew ? [(heading as string).trim()] : []), kept, content])
  const after = [text.slice(0, place.from), body, text.slice(place.to)]
  const document = mark + joinParts(after, text.includes('\r\n') ? '\r\n' : '\n')

  const expected = [
    ...headings.filter(({ start }) => start < place.from),
    ...(isNew && wanted ? [wanted] : []),
    ...headingsOf(kept),
    ...headingsOf(content),
    ...headings.filter(({ start }) => start >= place.to),
  ]
  const found = headingsOf(document.slice(mark.length))
  const isSound = found.length === expected.length && found.every((one, at) => isSame(one, expected[at] as Heading))
  return isSound ? { document } : { fault: 'what stands before the place of the change is left open, as a code fence', of: 'document' }
}

/** What is to be replaced or continued: the body of a section, or nothing at the end of the document. */
function placeOf(text: string, headings: readonly Heading[], wanted: Heading | undefined) {
  const at = wanted ? headings.findIndex((one) => isSame(one, wanted)) : -1
  const heading = headings[at]
  if (!heading) return { heading: undefined, from: text.length, to: text.length }
  const next = headings.slice(at + 1).find(({ level }) => level <= heading.level)
  return { heading, from: heading.end, to: next?.start ?? text.length }
}

function asHeading(line: string): Heading | undefined {
  const [first, ...more] = headingsOf(line)
  const isOneLine = !/[\r\n]/.test(line.trim())
  return first && more.length === 0 && isOneLine && line.trim().startsWith('#') && first.title !== '' ? first : undefined
}

/** Whether a heading that follows is still one. */
function isClosed(content: string): boolean {
  return headingsOf(`${content}\n\n# x`).at(-1)?.title === 'x'
}

const trimmed = (text: string): string => text.replace(/^(?:[ \t]*(?:\r\n?|\n))+/, '').trimEnd()

function joined(parts: readonly string[]): string {
  return parts
    .map(trimmed)
    .filter((part) => part !== '')
    .join('\n\n')
}

/** One empty line between the parts, and the end of a line at the end. What is new ends its lines as the rest does. */
function joinParts([head = '', body = '', tail = '']: readonly string[], lineEnd: string): string {
  const own = body.replace(/\r\n?|\n/g, lineEnd)
  const before = head === '' || own === '' ? head : endOfLines(head, lineEnd)
  if (own === '') return tail === '' ? before : endOfLines(before, lineEnd) + tail
  return before + own + lineEnd + (tail === '' ? '' : lineEnd + tail)
}

/** An empty line that is longer than this only gets another one below it. */
const MAX_BLANK = 100

/** A text that ends in an empty line. */
function endOfLines(text: string, lineEnd: string): string {
  if (text === '') return ''
  const end = text.slice(-MAX_BLANK).replace(/\r\n?/g, '\n')
  if (/\n[ \t]*\n$/.test(end)) return text
  return text + (end.endsWith('\n') ? lineEnd : lineEnd + lineEnd)
}
