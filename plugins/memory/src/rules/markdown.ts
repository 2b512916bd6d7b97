import { fromMarkdown } from 'mdast-util-from-markdown'

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
  return sectionsOf(markdown, deepest).flatMap(({ headings, text }, section) =>
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
  for (const node of fromMarkdown(markdown).children) {
    if (node.type !== 'heading' || node.depth > deepest) continue
    end(node.position?.start.offset ?? from)
    while ((path.at(-1)?.depth ?? 0) >= node.depth) path.pop()
    path.push({ depth: node.depth, title: toText(node) })
    from = node.position?.end.offset ?? from
  }
  end(markdown.length)
  return sections
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

type Node = ReturnType<typeof fromMarkdown>['children'][number]

/** The words of a node without its marks. */
function toText(node: Node): string {
  if ('value' in node) return node.value
  return 'children' in node ? node.children.map(toText).join('') : ''
}
