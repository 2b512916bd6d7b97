import { markdownHeadings } from '@gateway/sdk'
import MarkdownIt from 'markdown-it'

export interface Piece {
  readonly text: string
  /** The headings above it, outermost first. */
  readonly headings: readonly string[]
  /** Number of the section; all its pieces share it. */
  readonly section: number
}

/** Approximate input size of the vector model: 256 tokens. */
const MAX_PIECE = 1_200
const OVERLAP = 150

const BYTE_ORDER_MARK = /^\ufeff/

export interface Section {
  /** The headings above it, outermost first. */
  readonly headings: readonly string[]
  readonly text: string
}

/**
 * Cuts a document at its headings, as a CommonMark parser finds them: a `#` in a code fence is not one, a line with `===` below
 * is one. With `deepest` 2 the text below each level-2 heading stays whole. Long sections are cut between paragraphs, lines or
 * sentences, and each part begins with the end of the previous one.
 */
export function cutMarkdown(markdown: string, deepest: 2 | 6 = 6): readonly Piece[] {
  return sectionsOf(markdown, deepest).flatMap(({ headings, text }, section) =>
    cutText(text).map((piece) => ({ text: piece, headings, section })),
  )
}

export function sectionsOf(document: string, deepest: 2 | 6): readonly Section[] {
  const markdown = document.replace(BYTE_ORDER_MARK, '')
  const sections: Section[] = []
  const titleOf = titlesIn(markdown)
  const path: { level: number; words: string; title?: string }[] = []
  let from = 0
  const end = (to: number): void => {
    const text = markdown.slice(from, to).trim()
    if (text !== '') sections.push({ headings: path.map((one) => (one.title ??= titleOf(one.words))), text })
  }
  for (const { level, words, start, end: after } of markdownHeadings(markdown)) {
    if (level > deepest) continue
    end(start)
    while ((path.at(-1)?.level ?? 0) >= level) path.pop()
    path.push({ level, words })
    from = after
  }
  end(markdown.length)
  return sections
}

const inline = new MarkdownIt('commonmark')
/** Longer headings are cut. */
const MAX_TITLE = 1_000
const MARKS = /[\\`*_[\]<>&!\n\r\0]/
const DEFINITION = /^ {0,3}\[((?:[^[\]\\]|\\.){1,999})\]:/gm

type References = Record<string, { readonly href: string; readonly title: string }>

/**
 * Reads the words of headings without their marks. The label of a link is recognised when the document has a definition for it.
 */
function titlesIn(markdown: string): (words: string) => string {
  let references: References | undefined
  return (words) => {
    const text = words.slice(0, MAX_TITLE)
    if (!MARKS.test(text)) return text
    if (text.includes('[')) references ??= definitionsIn(markdown)
    const [parsed] = inline.parseInline(text, references ? { references } : {})
    return (parsed?.children ?? []).map(wordsOf).join('')
  }
}

function definitionsIn(markdown: string): References {
  const labels = Array.from(markdown.matchAll(DEFINITION), ([, label = '']) => inline.utils.normalizeReference(label))
  return Object.fromEntries(labels.map((label) => [label, { href: '', title: '' }]))
}

/** A picture and a break have no words. */
function wordsOf({ type, content }: { readonly type: string; readonly content: string }): string {
  if (type === 'softbreak') return '\n'
  return type === 'image' ? '' : content
}

/** Positions at which a long text may be cut, the best first. */
const PLACES = [/\n\s*\n/g, /\n/g, /(?<=[.!?。！？])\s+/g, /\s+/g]

export function cutText(text: string, max = MAX_PIECE, overlap = OVERLAP): readonly string[] {
  const pieces: string[] = []
  let from = 0
  while (text.length - from > max) {
    const at = placeIn(text, from + Math.floor(max / 2), from + max)
    pieces.push(text.slice(from, at).trim())
    const back = text.slice(Math.max(from + 1, at - overlap), at)
    const word = back.search(/\s/)
    from = at - (word === -1 ? 0 : back.length - word - 1)
  }
  pieces.push(text.slice(from).trim())
  return pieces.filter((piece) => piece !== '')
}

function placeIn(text: string, least: number, most: number): number {
  const window = text.slice(least, most)
  for (const place of PLACES) {
    const last = [...window.matchAll(place)].at(-1)
    if (last) return least + last.index + last[0].length
  }
  // A cut must not split a surrogate pair.
  return /[\ud800-\udbff]/.test(text[most - 1] as string) ? most - 1 : most
}
