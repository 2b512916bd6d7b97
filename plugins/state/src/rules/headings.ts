import MarkdownIt from 'markdown-it'

/** Blocks alone: what stands in a line moves no heading, and is most of the work. */
const blocks = new MarkdownIt('commonmark')
blocks.core.ruler.disable('inline')

/** A heading of the document itself, not one in a quote or a list; offsets are of its lines. */
export interface Heading {
  readonly level: number
  /** As it is written, without its marks. */
  readonly title: string
  readonly start: number
  /** Where the line after it begins. */
  readonly end: number
}

/** The headings of a document in their order, as CommonMark has them: a `#` in a code fence is none, a line above `===` is one. */
export function headingsOf(markdown: string): readonly Heading[] {
  const tokens = blocks.parse(markdown, {})
  const offsets = lineOffsets(markdown)
  return tokens.flatMap((token, at) => {
    if (token.type !== 'heading_open' || token.level !== 0 || token.map === null) return []
    const [first, after] = token.map
    const title = oneSpaced(tokens[at + 1]?.content ?? '')
    const start = offsets[first] ?? markdown.length
    return [{ level: Number(token.tag.slice(1)), title, start, end: offsets[after] ?? markdown.length }]
  })
}

/** Whether two headings are the same one: by level and words. */
export function isSame(a: Pick<Heading, 'level' | 'title'>, b: Pick<Heading, 'level' | 'title'>): boolean {
  return a.level === b.level && a.title === b.title
}

function oneSpaced(text: string): string {
  return text.split(/\s+/).filter(Boolean).join(' ')
}

/** Where each line begins, by the three ends that a line may have. */
function lineOffsets(text: string): readonly number[] {
  const offsets = [0]
  for (const { index, 0: end } of text.matchAll(/\r\n?|\n/g)) offsets.push(index + end.length)
  return offsets
}
