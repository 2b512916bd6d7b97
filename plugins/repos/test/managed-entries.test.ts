import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseJson } from '../src/rules/json-fault.ts'
import { parseManagedRepos, withRepos } from '../src/rules/managed-entries.ts'

const fault = (value: unknown) => {
  const parsed = parseManagedRepos(typeof value === 'string' ? value : JSON.stringify(value))
  assert.ok('fault' in parsed, 'it is refused')
  return parsed
}

test('entries are read as they stand, with a byte order mark too, and further fields are kept aside', () => {
  const list = [
    { name: 'web', path: '/srv/web' },
    { name: '.dot name', path: '/srv/.dot name', group: 'apps', gitRemote: 'git@example.org:a/b.git', owner: 'ada' },
  ]
  const { owner: _owner, ...second } = list[1] as { owner?: string }
  assert.deepEqual(parseManagedRepos(`\uFEFF${JSON.stringify(list)}`), { repos: [list[0], second], raw: list })
  assert.deepEqual(parseManagedRepos('[]'), { repos: [], raw: [] })
})

test('what is no list of repos is refused with the place of the first fault', () => {
  const good = { name: 'a', path: '/a' }
  assert.match(fault({}).fault, /array/)
  for (const [list, place] of [
    [[good, 7], '[1]'],
    [[good, null], '[1]'],
    [[good, []], '[1]'],
    [[{ path: '/a' }], '[0].name'],
    [[{ name: '', path: '/a' }], '[0].name'],
    [[{ name: '..', path: '/a' }], '[0].name'],
    [[{ name: 'a/b', path: '/a' }], '[0].name'],
    [[{ name: '--upload-pack=x', path: '/a' }], '[0].name'],
    [[good, { name: 'b' }], '[1].path'],
    [[{ name: 'a', path: 'a' }], '[0].path'],
    [[{ name: 'a', path: '/a/../b' }], '[0].path'],
    [[{ name: 'a', path: '/a/..' }], '[0].path'],
    [[{ name: 'a', path: '/a\u0000b' }], '[0].path'],
    [[{ ...good, group: 1 }], '[0].group'],
    [[{ ...good, gitRemote: '--exec=x' }], '[0].gitRemote'],
    [[{ ...good, gitRemote: 'ext::sh -c x' }], '[0].gitRemote'],
    [[{ ...good, gitRemote: 'ext::x' }], '[0].gitRemote'],
    [[{ ...good, gitRemote: 'https://ada:secret@example.org/x' }], '[0].gitRemote'],
    [[good, { ...good, path: '/b' }], '[1].name'],
  ] as const) {
    assert.equal(fault(list).place, place, JSON.stringify(list))
  }
  for (const gitRemote of ['https://example.org:8443/a.git', 'https://ada@example.org/a', 'git@example.org:a/b', '/srv/a.git']) {
    assert.ok('repos' in parseManagedRepos(JSON.stringify([{ ...good, gitRemote }])), gitRemote)
  }
})

test('bad JSON is refused with line and column, and without its text', () => {
  for (const [text, place] of [
    ['', 'line 1, column 1'],
    ['[\n  {"name": "a" "path"}\n]', 'line 2, column 16'],
    ['[\n  {"name": secret}\n]', 'line 2, column 12'],
    ['[1,\n2', 'line 2, column 2'],
    ['[]\nx', 'line 2, column 1'],
    ['[1,]', 'line 1, column 4'],
  ] as const) {
    const parsed = fault(text)
    assert.equal(parsed.place, place, JSON.stringify(text))
    assert.doesNotMatch(parsed.fault, /secret/)
  }
})

test('wherever one character spoils a list, the place is in it', () => {
  const text = JSON.stringify([{ name: 'a', path: '/srv/a', n: [1, true, null] }, { name: 'b' }])
  fc.assert(
    fc.property(fc.nat(text.length - 1), (at) => {
      const parsed = parseJson(`${text.slice(0, at)}\u0001${text.slice(at)}`)
      assert.ok('fault' in parsed)
      const column = Number(/^line 1, column (\d+)$/.exec(parsed.place)?.[1])
      // A literal or a number that is cut in two may be reported at its beginning or at the cut.
      assert.ok(column - 1 <= at && column - 1 >= at - 5, `${parsed.place} for ${at}`)
    }),
  )
})

test('a repo takes the place of the one with its name, whose further fields stay', () => {
  const raw = [
    { name: 'a', path: '/a', owner: 'ada' },
    { name: 'b', path: '/b' },
  ]
  assert.deepEqual(
    withRepos(raw, [
      { name: 'a', path: '/new' },
      { name: 'c', path: '/c' },
    ]),
    [
      { name: 'a', path: '/new', owner: 'ada' },
      { name: 'b', path: '/b' },
      { name: 'c', path: '/c' },
    ],
  )
})
