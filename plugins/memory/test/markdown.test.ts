import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cutMarkdown } from '../src/rules/markdown.ts'

const cut = (markdown: string, deepest?: 2 | 6): string[] =>
  cutMarkdown(markdown, deepest).map(({ headings, text }) => `${headings.join(' > ')} | ${text}`)

const cases: readonly [name: string, markdown: string, ...pieces: string[]][] = [
  ['marks, code and links are words of a heading', '# A *b* `c` [d](e)\n\nx', 'A b c d | x'],
  ['lines below which === or --- stands', 'Title **x**\n===\ntext\n---\n'],
  ['a heading over two lines', 'Setext\nover two lines\n---\n\nbody', 'Setext\nover two lines | body'],
  ['code that is indented has none', '    # code\n\n# real #\n', ' | # code'],
  ['closing marks go', '# trailing ##  \nx', 'trailing | x'],
  ['an empty one', '#\n\nempty', ' | empty'],
  ['none in a fence', '```\n# no\n```\n# yes', ' | ```\n# no\n```'],
  ['none in quotes and lists', '> # quoted\n\n- # listed\n\n# top', ' | > # quoted\n\n- # listed'],
  ['lines that end as on Windows', '# a\r\n\r\nb\r\n## c\r\nd', 'a | b', 'a > c | d'],
  ['lines that end as on old Macs', '# a\rb\r## c\rd', 'a | b', 'a > c | d'],
  ['up to three blanks before it', '  # indented\n x', 'indented | x'],
  ['pictures are no words, entities and escapes are', '# ![img](src) alt &amp; \\* <b>html</b>'],
  ['levels go up and down', '# a\n## b\n# c\n### d\n## e\nt', 'c > e | t'],
  ['right after a paragraph', 'text\n# after text', ' | text'],
  ['none in HTML', '<div>\n# in html\n</div>\n\n# out', ' | <div>\n# in html\n</div>'],
  ['a backslash at its end', '# a\\\n b', 'a\\ | b'],
  ['a reference', '# [ref]\n\n[ref]: /url\n', 'ref | [ref]: /url'],
  ['HTML in it', '# a<br>b `co  de`'],
  ['a fence of tildes', '~~~md\n## x\n~~~\n\n## y', ' | ~~~md\n## x\n~~~'],
  ['no blank, or too many marks', '#no\n\n####### seven', ' | #no\n\n####### seven'],
  ['what is no CommonMark stays', '# &copy; :) _x_ __y__ ~~z~~ http://a.b'],
  ['a line with blanks before ---', 'Foo\n    ---\n', ' | Foo\n    ---'],
  ['none in an item', '1. x\n\n   # in item\n\n# out', ' | 1. x\n\n   # in item'],
  ['a byte order mark is no part of the first', '\ufeff# bom\n\nx', 'bom | x'],
]

for (const [name, markdown, ...pieces] of cases)
  test(`a document is cut along its headings: ${name}`, () => assert.deepEqual(cut(markdown), pieces))

test('what stands below a level-2 heading stays in one piece where it is wished', () => {
  assert.deepEqual(cut('# a\n\n## b\n\none\n\n### c\n\ntwo\n', 2), ['a > b | one\n\n### c\n\ntwo'])
})

test('a document of a quarter megabyte is cut as one of its parts', () => {
  const part = '## Part\n\n> quoted *text* with `code`, [a link](https://example.com) and a list:\n>\n> - one\n> - two\n\n'
  const pieces = cutMarkdown(part.repeat(2_600))
  assert.equal(pieces.length, 2_600)
  assert.ok(pieces.every(({ text, headings }) => text === pieces[0]?.text && headings.join() === 'Part'))
})
