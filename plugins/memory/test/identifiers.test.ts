import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exactness, exactParts } from '../src/rules/identifiers.ts'

test('identifiers of a question are its names from code, files and numbered things, each as a whole', () => {
  assert.deepEqual(exactParts('why does HelloWorld call max_retries in src/app.ts on v2.1 or E1042 of "the old log"'), [
    'the old log',
    'helloworld',
    'max_retries',
    'src/app.ts',
    'v2.1',
    'e1042',
  ])
})

test('a text holds a part where it is a word of its own, not a piece of a longer one', () => {
  assert.equal(exactness(['foobar'], 'xfoobar foobar_1 (foobar)'), 1)
  assert.equal(exactness(['foobar'], 'xfoobar foobars foobar_1'), 0)
  assert.equal(exactness(['.env'], 'a.env ..env and .env'), 1)
})

test('reading a question and looking for its parts takes time by their length, whatever they are made of', () => {
  const reading = cpuOf(() => void 'a b '.repeat(200_000).split(' '))
  for (const part of ['a', 'aB', 'a1', '_', 'a_', 'a.', '-', '1-', '"', '日', '日a'])
    assert.ok(cpuOf(() => void exactParts(part.repeat(4_000 / part.length))) < reading, part)
  for (const [part, text] of [
    ['a'.repeat(200), 'a'.repeat(65_536)],
    [`${'日a'.repeat(100)}`, '日a'.repeat(32_768)],
    ['('.repeat(200), '('.repeat(65_536)],
  ] as const)
    assert.ok(cpuOf(() => void exactness([part], text)) < reading, part)
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
