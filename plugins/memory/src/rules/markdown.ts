import MarkdownIt from 'markdown-it'

/** A piece of a Markdown document and where it stands. */
export interface Piece {
  readonly text: string
  /** The headings above it, outermost first. */
  readonly headings: readonly string[]
  /** Pieces of one section have one number. */
  readonly section: number
}

/** About what the model of the vectors reads at once: 256 tokens. */
const MAX_PIECE = 1_200
const OVERLAP = 150

const BYTE_ORDER_MARK = /^\ufeff/

interface Section {
  readonly headings: readonly string[]
  readonly text: string
}

/**
 * A document cut along its headings, as a CommonMark parser finds them: a `#` in a code fence is none, a line with `===` below is one.
 * `deepest` 2 leaves whole what stands below each level-2 heading. Long sections are cut between paragraphs, lines or sentences,
 * and each part begins with the end of the one before.
 */
export function cutMarkdown(markdown: string, deepest: 2 | 6 = 6): readonly Piece[] {
  return sectionsOf(markdown.replace(BYTE_ORDER_MARK, ''), deepest).flatMap(({ headings, text }, section) =>
    cutText(text).map((piece) => ({ text: piece, headings, section })),
  )
}

function sectionsOf(markdown: string, deepest: number): readonly Section[] {
  const sections: Section[] = []
  const path: { depth: number; title: string }[] = []
  let from = 0
  const end = (to: number): void => {
    const text = markdown.slice(from, to).trim()
    if (text !== '') sections.push({ headings: path.map(({ title }) => title), text })
  }
  for (const { depth, title, start, after } of headingsOf(markdown)) {
    if (depth > deepest) continue
    end(start)
    while ((path.at(-1)?.depth ?? 0) >= depth) path.pop()
    path.push({ depth, title })
    from = after
  }
  end(markdown.length)
  return sections
}

/** Blocks alone, of whole documents: what stands in a line is looked at in headings only, and is most of the work. */
const blocks = new MarkdownIt('commonmark')
blocks.core.ruler.disable('inline')
const lines = new MarkdownIt('commonmark')

interface Heading {
  readonly depth: number
  /** Its words without its marks. */
  readonly title: string
  /** Offsets of its lines. */
  readonly start: number
  readonly after: number
}

/** The headings of the document itself, not those in a quote or a list. */
function* headingsOf(markdown: string): Generator<Heading> {
  const env = {}
  const tokens = blocks.parse(markdown, env)
  const offsets = [0, ...Array.from(markdown.matchAll(/\r\n?|\n/g), ({ index, 0: end }) => index + end.length)]
  for (const [at, { type, level, map, tag }] of tokens.entries()) {
    if (type !== 'heading_open' || level !== 0 || map === null) continue
    const [inline] = lines.parseInline(tokens[at + 1]?.content ?? '', env)
    const title = (inline?.children ?? []).map(wordsOf).join('')
    yield { depth: Number(tag.slice(1)), title, start: offsets[map[0]] ?? markdown.length, after: offsets[map[1]] ?? markdown.length }
  }
}

/** A picture has no words, and a break is none. */
function wordsOf({ type, content }: { readonly type: string; readonly content: string }): string {
  if (type === 'softbreak') return '\n'
  return type === 'image' ? '' : content
}

/** Where a long text may be cut, the best places first. */
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
  // Not between the halves of a character.
  return /[\ud800-\udbff]/.test(text[most - 1] as string) ? most - 1 : most
}
