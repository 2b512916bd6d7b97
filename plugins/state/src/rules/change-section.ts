import { type MarkdownHeading, markdownHeadings } from '@gateway/sdk'
import { closedHeadings, isSameHeading } from './headings.ts'

export interface SectionChange {
  /** A whole heading line. Without one, `content` goes to the end of the document. */
  readonly heading?: string | undefined
  readonly content: string
  readonly mode: 'replace' | 'append'
}
export interface Fault {
  readonly fault: string
  readonly of: 'heading' | 'content' | 'document'
}
/** The document after the change, or the part at fault for a refusal. */
export type Changed = { readonly document: string } | Fault

const BYTE_ORDER_MARK = '\ufeff'

const BAD_HEADING: Fault = { fault: 'must be one whole heading line, as `## Next`', of: 'heading' }
const OPEN_CONTENT: Fault = { fault: 'leaves a code fence or an HTML block open, which would swallow what follows', of: 'content' }
const OPEN_DOCUMENT: Fault = { fault: 'the text before the change leaves a block open, such as a code fence', of: 'document' }

/** The fault of a change that no document can take. */
export function faultOf({ heading, content }: Pick<SectionChange, 'heading' | 'content'>): Fault | undefined {
  if (heading !== undefined && !asHeading(heading)) return BAD_HEADING
  return closedHeadings(content) ? undefined : OPEN_CONTENT
}

/**
 * Changes one section of a document. A section goes from its heading to the next one of its level or above, so text below a
 * heading of a lower level is part of it. Everything outside of it stays unchanged, to the byte; new lines end as the document's
 * do.
 */
export function changeSection(before: string, { heading, content, mode }: SectionChange): Changed {
  const wanted = heading === undefined ? undefined : asHeading(heading)
  if (heading !== undefined && !wanted) return BAD_HEADING
  const added = closedHeadings(content)
  if (!added) return OPEN_CONTENT
  const mark = before.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : ''
  const text = before.slice(mark.length)
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n'

  // The document with a new section at its end is read once, for its present headings and for the new ones.
  const longer = joinParts([text, joined([heading?.trim() ?? '', content]), ''], lineEnd)
  const found = markdownHeadings(longer)
  const headings = found.filter(({ start }) => start < text.length)
  const place = wanted && placeOf(text, headings, wanted)
  if (!place) {
    const isSound = areSame(found.slice(headings.length), wanted ? [wanted, ...added] : added)
    return isSound ? { document: mark + longer } : OPEN_DOCUMENT
  }

  const { from, to, next } = place
  const kept = mode === 'append' ? text.slice(from, to) : ''
  const tail = text.slice(to)
  const document = joinParts([text.slice(0, from), joined([kept, content]), tail], lineEnd)
  // No block is open after a heading, and from the next heading on the document is unchanged: only the section is read again.
  const changed = document.slice(from)
  const until = changed.length - tail.length
  const read = markdownHeadings(changed, until)
  const own = kept === '' ? [] : headings.filter(({ start }) => start >= from && start < to)
  const isSound = areSame(read, [...own, ...added, ...(next ? [next] : [])]) && (!next || read.at(-1)?.start === until)
  return isSound ? { document: mark + document } : OPEN_DOCUMENT
}

const areSame = (some: readonly MarkdownHeading[], others: readonly MarkdownHeading[]): boolean =>
  some.length === others.length && some.every((one, at) => isSameHeading(one, others[at] as MarkdownHeading))

/** Returns the body of the section under a heading, and the heading that ends it. */
function placeOf(text: string, headings: readonly MarkdownHeading[], wanted: MarkdownHeading) {
  const at = headings.findIndex((one) => isSameHeading(one, wanted))
  const heading = headings[at]
  if (!heading) return undefined
  const next = headings.slice(at + 1).find(({ level }) => level <= heading.level)
  return { from: heading.end, to: next?.start ?? text.length, next }
}

function asHeading(line: string): MarkdownHeading | undefined {
  const own = line.trim()
  const [first, ...more] = /[\r\n]/.test(own) ? [] : markdownHeadings(line)
  return first && more.length === 0 && own.startsWith('#') && first.words.trim() !== '' ? first : undefined
}

const trimmed = (text: string): string => text.replace(/^(?:[ \t]*(?:\r\n?|\n))+/, '').trimEnd()

function joined(parts: readonly string[]): string {
  return parts
    .map(trimmed)
    .filter((part) => part !== '')
    .join('\n\n')
}

/** Joins the parts with one empty line between them, and a line end at the end. New text uses the line ends of the rest. */
function joinParts([head = '', body = '', tail = '']: readonly string[], lineEnd: string): string {
  const own = body.replace(/\r\n?|\n/g, lineEnd)
  const before = head === '' || own === '' ? head : endOfLines(head, lineEnd)
  if (own === '') return tail === '' ? before : endOfLines(before, lineEnd) + tail
  return before + own + lineEnd + (tail === '' ? '' : lineEnd + tail)
}

/** A longer empty line only gets another one below it. */
const MAX_BLANK = 100

/** Returns a text that ends in an empty line. */
function endOfLines(text: string, lineEnd: string): string {
  if (text === '') return ''
  const end = text.slice(-MAX_BLANK).replace(/\r\n?/g, '\n')
  if (/\n[ \t]*\n$/.test(end)) return text
  return text + (end.endsWith('\n') ? lineEnd : lineEnd + lineEnd)
}
