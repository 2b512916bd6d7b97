import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { jsFacts } from '../src/rules/js-facts.ts'
import { parseJsonc } from '../src/rules/jsonc.ts'
import { pythonFacts } from '../src/rules/python-facts.ts'
import { riskOf } from '../src/rules/risk.ts'
import { packShard, SHARDS, shardOf, unpackShard } from '../src/rules/shards.ts'

const to = (facts: { references: readonly { to: string }[] }) => facts.references.map((one) => one.to)
const calls = (facts: { calls: readonly (readonly [string, string])[] }) => facts.calls.map(([by, what]) => `${by}>${what}`)

test('imports in comments, strings, templates and JSX text are none', () => {
  const text = `// import a from './a'
/* require('./b') */ const s = "import c from './c'"; const t = \`require('./d') \${'import("./e")'}\`
const x = <p>import f from './f'</p>
const r = /require('.\\/g')/
import real from './real'`
  assert.deepEqual(to(jsFacts('a.tsx', text)), ['./real'])
})

test('every way to import is seen: static, re-export, dynamic, require, import =, a type', () => {
  const text = `import './a'; import b from './b'; export { c } from './c'; export * from './d'; export * as e from './e'
import f = require('./f'); const { g } = require('./g'); let t: import('./h').T
async function z() { await import('./i'); require(\`./j\`) }`
  assert.deepEqual(
    to(jsFacts('a.ts', text)).sort(),
    ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'].map((name) => `./${name}`),
  )
})

test('a specifier that is computed leads nowhere', () => {
  assert.deepEqual(to(jsFacts('a.js', "import('./' + name); require(name); import(`./${name}`)")), [])
})

test('a call belongs to the symbol it stands in, and a name bound in an inner scope is no import', () => {
  const text = `import { a, b, c } from './x'
function outer(b) { a(); b(); { const c = 1; c() } }
class K { m() { this.n(); new a() } n() {} }
const api = { go() { c() } }`
  const facts = jsFacts('a.js', text)
  assert.deepEqual(facts.symbols, ['outer', 'K', 'K.m', 'K.n', 'api', 'api.go'])
  assert.deepEqual(calls(facts), ['outer>a', 'K.m>K.n', 'K.m>a', 'api.go>c'])
})

test('Python: comments, strings and f-strings make no edges; conditional and relative imports do', () => {
  const text = `"""import no"""
# from nope import x
s = f"{y('import bad')} {{import}}"
if True: import late
from ..up import (a,
    b as c)
from . import sub
import p.q as r, os
`
  assert.deepEqual(to(pythonFacts(text)), ['late', '..up', '.', 'p.q', 'os'])
})

test('Python: calls belong to the outermost def or method, locals and parameters are not followed', () => {
  const text = `from m import f, g, h
def one(g):
    f(); g()
    def inner():
        h = 1
        h(); f()
class C:
    @f
    def m(self, x):
        self.n(); x(); await h()
    def n(self): pass
`
  const facts = pythonFacts(text)
  assert.deepEqual(facts.symbols, ['one', 'C', 'C.m', 'C.n'])
  assert.deepEqual(calls(facts), ['one>f', 'C.m>C.n', 'C.m>h', 'C>f'])
})

test('no text makes the readers throw or hang', () => {
  const code = fc.string({
    unit: fc.constantFrom(
      'import ',
      'from ',
      'def f(',
      'class ',
      '"',
      "'",
      '`',
      '${',
      '{',
      '}',
      '(',
      ')',
      '\n',
      '  ',
      'x',
      '.',
      ',',
      '#',
      '//',
      '/*',
      '<',
      '\\',
      'f"',
      '"""',
      ':',
      ';',
      '=',
    ),
  })
  fc.assert(
    fc.property(code, (text) => {
      jsFacts('a.tsx', text)
      pythonFacts(text)
    }),
    { numRuns: 500 },
  )
})

test('what cannot be parsed has no facts and says why', () => {
  const facts = jsFacts('a.ts', 'import { from from from')
  assert.deepEqual([facts.references, facts.symbols.length], [[], 0])
  assert.ok(facts.fault)
})

test('a tsconfig may have comments and trailing commas, and its strings are left alone', () => {
  assert.deepEqual(parseJsonc('\uFEFF{ // a\n "a": "x // y", /* b */ "b": [1, 2,], }'), { a: 'x // y', b: [1, 2] })
  assert.equal(parseJsonc('{'), undefined)
})

test('what is packed is unpacked; what is damaged is nothing', () => {
  const files = new Map([['a.ts', { stamp: 's', hash: 'h', facts: jsFacts('a.ts', "import './b'") }]])
  assert.deepEqual([...unpackShard(packShard(files))], [...files])
  assert.equal(unpackShard('nonsense').size, 0)
  fc.assert(fc.property(fc.string(), (path) => shardOf(path) >= 0 && shardOf(path) < SHARDS))
})

test('risk never falls when there is more of anything', () => {
  const counts = fc.record({
    changedFiles: fc.nat(999),
    affectedFiles: fc.nat(999),
    callers: fc.nat(999),
    untestedFiles: fc.nat(999),
    sharedFiles: fc.nat(999),
  })
  const name = fc.constantFrom('changedFiles', 'affectedFiles', 'callers', 'untestedFiles', 'sharedFiles')
  fc.assert(fc.property(counts, name, (some, more) => riskOf({ ...some, [more]: some[more] + 1 }).risk >= riskOf(some).risk))
})
