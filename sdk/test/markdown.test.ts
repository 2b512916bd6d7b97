import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import MarkdownIt from 'markdown-it'
import { markdownHeadings } from '../src/index.ts'

const seen = (markdown: string) => markdownHeadings(markdown).map(({ level, words, start, end }) => [level, spaced(words), start, end])
const spaced = (words: string): string => words.split(/\s+/).filter(Boolean).join(' ')

test('headings have their level, their words as written, and the offsets of their lines', () => {
  const document = 'One *a*\ntwo\n===\n\n```\n# no\n```\n\n## Three ##\r\ntext'
  assert.deepEqual(markdownHeadings(document), [
    { level: 1, words: 'One *a*\ntwo', start: 0, end: 16 },
    { level: 2, words: 'Three', start: 31, end: 44 },
  ])
  assert.deepEqual(markdownHeadings(document, 1).length, 2)
  assert.deepEqual(markdownHeadings(`# a\n${document}`, 4).length, 2, 'reading ends with the first heading from there on')
})

test('a list or a quote of any depth hides no heading behind it', () => {
  for (const deep of ['- '.repeat(30), '> '.repeat(200), '> - + '.repeat(50)]) assert.deepEqual(seen(`${deep}a\n\n# x`).length, 1, deep)
})

const reference = new MarkdownIt('commonmark', { maxNesting: 1_000 })
reference.core.ruler.disable('inline')

/** The headings by markdown-it, which parses the whole document. */
function parsed(markdown: string) {
  const offsets = [0, ...Array.from(markdown.matchAll(/\r\n?|\n/g), ({ index, 0: end }) => index + end.length)]
  const tokens = reference.parse(markdown, {})
  return tokens.flatMap(({ type, level, map, tag }, at) => {
    if (type !== 'heading_open' || level !== 0 || !map) return []
    const [start, end] = map.map((line) => offsets[line] ?? markdown.length)
    return [[Number(tag[1]), spaced(tokens[at + 1]?.content ?? ''), start, end]]
  })
}

const BLOCKS = ['# a', '## b ##', '#', '####### c', '#d', 'text', 'a b', '===', '--', '-', '***', '- - -', '```', '~~~', '``` x', '````']
const CONTAINERS = ['> ', '>', '- ', '* ', '+ ', '1. ', '2. ', '10) ', '1.', '- ', '    ', '  ', ' ', '\t', '', '']
const HTML = ['<div>', '</div>', '<!--', '-->', '<script>', '</script>', '<?', '?>', '<!A', '<a b="c">', '<x y=', '</a>', '<P', '<hr/', '>']
const DEFINITIONS = [
  '[a]: b',
  '[a]: b "c"',
  "[a]: b 'c",
  '"c"',
  "'c",
  '(c)',
  '[a]:',
  '[a',
  '[a\\]b]: c',
  '[]: a',
  '[a]: <b c>',
  '[a]: b(c',
  '\\',
]
const piece = fc.constantFrom(...BLOCKS, ...CONTAINERS, ...CONTAINERS, ...HTML, ...DEFINITIONS)
const line = fc.array(piece, { maxLength: 3 }).map((pieces) => pieces.join(''))
const document = fc
  .tuple(fc.array(line, { maxLength: 12 }), fc.constantFrom('\n', '\n', '\r\n', '\r'))
  .map(([lines, end]) => lines.join(end))
  // A backslash that ends a target is read differently by markdown-it than CommonMark says.
  .filter((text) => !/\]:\s*\S*\\(?=[\t\r\n]|$)/.test(text))

test('of random documents the headings are those that a CommonMark parser finds', () => {
  fc.assert(
    fc.property(document, (markdown) => assert.deepEqual(seen(markdown), parsed(markdown))),
    { numRuns: 3_000 },
  )
})
