import assert from 'node:assert/strict'
import { test } from 'node:test'
import { markdownHeadings } from '@gateway/sdk'
import fc from 'fast-check'
import { changeSection } from '../src/rules/change-section.ts'

function changed(before: string, heading: string | undefined, content: string, mode: 'replace' | 'append' = 'replace'): string {
  const result = changeSection(before, { heading, content, mode })
  assert.ok('document' in result, JSON.stringify(result))
  return result.document
}
const fault = (before: string, heading: string | undefined, content: string) => {
  const result = changeSection(before, { heading, content, mode: 'replace' })
  return 'fault' in result ? result.of : result.document
}

const document = '# Title\n\nIntro.\n\n## One\n\nold\n\n### Below\n\nolder\n\n## Two\n\nstays\n'

test('replace puts a new body under the heading, up to the next heading of its level or above', () => {
  assert.equal(changed(document, '## One', 'new'), '# Title\n\nIntro.\n\n## One\n\nnew\n\n## Two\n\nstays\n')
  assert.equal(changed(document, '### Below', 'new'), document.replace('older', 'new'))
  assert.equal(changed(document, '## Two', 'new\n'), document.replace('stays', 'new'))
  assert.equal(changed(document, '## Two', ''), document.replace('\nstays\n', ''))
})

test('append adds to the end of the section', () => {
  assert.equal(changed(document, '## One', 'more', 'append'), document.replace('older\n', 'older\n\nmore\n'))
  assert.equal(changed('## One\n', '## One', 'first', 'append'), '## One\n\nfirst\n')
})

test('a heading that is not there is added at the end, also into nothing', () => {
  for (const mode of ['replace', 'append'] as const) {
    assert.equal(changed(document, '## Three', 'new', mode), `${document}\n## Three\n\nnew\n`)
    assert.equal(changed('', '## Three', 'new', mode), '## Three\n\nnew\n')
  }
  assert.equal(changed(document, '### Two', 'new'), `${document}\n### Two\n\nnew\n`, 'of another level it is another one')
})

test('without a heading the content goes to the end, whatever the mode', () => {
  for (const mode of ['replace', 'append'] as const) {
    assert.equal(changed(document, undefined, 'new', mode), `${document}\nnew\n`)
    assert.equal(changed('no end of line', undefined, 'new', mode), 'no end of line\n\nnew\n')
  }
})

test('of equal headings the first is meant', () => {
  assert.equal(changed('## A\n\n1\n\n## A\n\n2\n', '## A', 'x'), '## A\n\nx\n\n## A\n\n2\n')
})

test('what only looks like a heading is none: in fences, indented code, quotes, lists and HTML', () => {
  for (const hidden of ['```\n## A\n```', '~~~~ md\n## A\n```\n~~~~', '    ## A', '> ## A', '- ## A', '<!--\n## A\n-->', '\\## A', '##A']) {
    const before = `# T\n\n${hidden}\n\n## B\n\nstays\n`
    assert.equal(changed(before, '## A', 'x'), `${before}\n## A\n\nx\n`, hidden)
  }
})

test('setext, closed and indented headings, and marks within, are headings like any other', () => {
  assert.equal(changed('One\n---\n\nold\n\nTwo\n===\n', '## One', 'new'), 'One\n---\n\nnew\n\nTwo\n===\n')
  assert.equal(changed('  ## One  ##\n\nold\n', '## One', 'new'), '  ## One  ##\n\nnew\n')
  assert.equal(changed('## A `b` *c*\n\nold\n', '##   A `b` *c*  ', 'new'), '## A `b` *c*\n\nnew\n')
})

test('lines end as they did, and a byte order mark stays', () => {
  assert.equal(changed('\ufeff# T\r\n\r\n## A\r\n\r\nold\r\n', '## A', 'x\ny'), '\ufeff# T\r\n\r\n## A\r\n\r\nx\r\ny\r\n')
})

test('a heading that is not one whole heading line is refused', () => {
  for (const heading of ['Next', '#Next', '## A\n## B', '## A\ntext', '##', '> ## A', '```', 'A\n---', '####### A'])
    assert.equal(fault(document, heading, 'x'), 'heading', heading)
})

test('content that would swallow what follows is refused, and a document that swallows it is told apart', () => {
  for (const content of ['```\nopen', '<!-- open', '~~~', '<script>']) assert.equal(fault(document, '## One', content), 'content', content)
  assert.equal(fault('# T\n\n```\nopen\n', '## New', 'x'), 'document')
  assert.equal(fault('# T\n\n```\nopen\n', undefined, '## x'), 'document')
})

test('whatever stands in a document, a change leaves the rest as it was, and is found again', () => {
  const line = fc.constantFrom(
    '## A',
    '## B',
    '# C',
    '### A',
    'text',
    '```',
    '- a',
    '  - b',
    '> q',
    '',
    '',
    '===',
    '---',
    '    code',
    '<!--',
    '-->',
  )
  const text = (lines: readonly string[]) => lines.map((one) => `${one}\n`).join('')
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 25 }),
      fc.array(line, { maxLength: 6 }),
      fc.constantFrom('replace', 'append'),
      (lines, body, mode) => {
        const before = text(lines)
        const content = text(body)
        const result = changeSection(before, { heading: '## B', content, mode })
        if ('fault' in result) return
        const own = markdownHeadings(before)
        const at = own.findIndex(({ level, words }) => level === 2 && words === 'B')
        const section = own[at]
        assert.ok(result.document.startsWith(before.slice(0, section?.end ?? before.length)))
        const next = section && own.slice(at + 1).find(({ level }) => level <= 2)
        if (next) assert.ok(result.document.endsWith(before.slice(next.start)))
        assert.ok(markdownHeadings(result.document).some(({ level, words }) => level === 2 && words === 'B'))
        for (const word of content.split('\n')) assert.ok(result.document.includes(word))
      },
    ),
    { numRuns: 500 },
  )
})

test('content that names a heading and leaves a fence open is refused like any that is open', () => {
  assert.equal(fault(document, '## One', '# x\n\n```\nopen'), 'content')
})

test('a section that is appended to reads as the same section, whatever its lines end with', () => {
  assert.equal(changed('A\rb\r---\rold\r', '## A b', 'new', 'append'), 'A\rb\r---\r\nold\n\nnew\n')
})

/** Documents near the maximum size, with lines that are costly to a parser. */
const SHAPES = ['a\n', '***\n', '[a]: b\n', '- a\n', '> #\nb\n', '# a\n', 'a\n---\n', '[\n', '<a\n', '`\n', '\n', '- > + ', '>', '[']

test('a small change costs about as little in a document of any shape as in one of text', () => {
  const ofSize = (part: string): string => part.repeat(380_000 / part.length)
  const change = (text: string): void => void changeSection(text, { heading: '## Next', content: 'a change', mode: 'append' })
  const lines = ofSize('a\n')
  for (let n = 0; n < 3; n++) change(lines)
  // Splitting and trimming the lines is the minimum cost of reading them.
  const reading = cpuOf(() => void lines.split('\n').map((line) => line.trim()))
  for (const shape of SHAPES) {
    const took = cpuOf(() => change(ofSize(shape)))
    assert.ok(took < 20 * reading, `${JSON.stringify(shape)} took ${(took / reading).toFixed(1)} times as long as reading the lines`)
  }
})

/** Microseconds of CPU; the minimum of three runs. */
function cpuOf(run: () => void): number {
  const times = Array.from({ length: 3 }, () => {
    const before = process.cpuUsage()
    run()
    const { user, system } = process.cpuUsage(before)
    return user + system
  })
  return Math.min(...times)
}
