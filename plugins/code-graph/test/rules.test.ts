import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { jsFacts, scannedFacts } from '../src/rules/js-facts.ts'
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

test('files that are named for a resolver, a worker, a test runner or a compiler are imports too', () => {
  const text = `/// <reference path="types/a.d.ts" />
// <reference path="no.d.ts" />
require.resolve('./b'); import.meta.resolve('./c'); new Worker(new URL('./d.ts', import.meta.url)); new URL('e.wasm.js', import.meta.url)
jest.mock('./f', () => ({})); vi.importActual('./g'); new URL('./no', base); new URL('https://x.org', import.meta.url); other.mock('./no')`
  assert.deepEqual(
    to(jsFacts('a.ts', text)),
    ['types/a.d.ts', 'b', 'c', 'd.ts', 'e.wasm.js', 'f', 'g'].map((name) => `./${name}`),
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
      for (const path of ['a.tsx', 'a.js', 'a.vue', 'a.astro', 'a.mdx']) jsFacts(path, text)
      scannedFacts('a.js', text, 'no')
      scannedFacts('a.svelte', `<script>${text}</script>`, 'no')
      pythonFacts(text)
    }),
    { numRuns: 500 },
  )
})

test('a text that is no code has no facts and says why', () => {
  const facts = jsFacts('a.ts', 'import { from from from')
  assert.deepEqual([facts.references, facts.symbols.length], [[], 0])
  assert.ok(facts.fault)
})

/** Ways to import, and the references that each makes. */
const ways = `import './a'; import b, { c as d, type E } from './b'; import * as f from "./f"
import type { G } from './g'; import { "x y" as z } from './h'; import type from './s'; import type T from './t'
export { i, j as k } from './i'; export * from './j'; export * as l from './l'; export type { M } from './m'
import n = require('./n'); const { o } = require('./o'); require.resolve('./p'); const q = import('./q'); import(\`./r\`)`
const made = (facts: { references: readonly object[] }) =>
  [...facts.references].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))

test('the tokens of a file that the parser refuses show the same imports as its tree would', () => {
  const [parsed, broken] = [jsFacts('a.ts', ways), jsFacts('a.ts', `${ways}\nfunction ( {`)]
  assert.equal(parsed.fault, undefined)
  assert.ok(broken.fault)
  const places = (facts: ReturnType<typeof jsFacts>) => to(facts).sort()
  assert.deepEqual(places(broken), places(parsed))
  assert.equal(places(parsed).length, 16)
  const names = (facts: ReturnType<typeof jsFacts>) =>
    made({
      references: facts.references
        .filter(({ to }) => !['./n', './o'].includes(to))
        .map(({ to, binds = [], passes = [] }) => ({ to, binds, passes })),
    })
  assert.deepEqual(names(broken), names(parsed))
})

test('both sides of a merge conflict count, and their common ancestor does not', () => {
  const text = `import { a } from './a'
<<<<<<< HEAD
import { b } from './b'
||||||| 1234567
import { old } from './old'
=======
import {
  c,
} from './c'
>>>>>>> feature/x
import {
<<<<<<< HEAD
  d,
=======
  e,
>>>>>>> feature/x
} from './d'
export const x = <p>don't</p>; const y = /import './no'/`
  for (const one of [text, text.replaceAll('\n', '\r\n')]) {
    const facts = jsFacts('a.tsx', one)
    assert.match(facts.fault ?? '', /marker/)
    assert.deepEqual(to(facts), ['./a', './b', './c', './d'])
    assert.deepEqual(facts.references[3]?.binds, [
      ['d', 'd'],
      ['e', 'e'],
    ])
  }
})

test('Flow types are read: as a tree where they are like those of TypeScript, else from tokens', () => {
  const simple = jsFacts(
    'a.js',
    `// @flow\nimport type { A } from './a'\nimport { b } from './b'\nexport function f(x: ?A): string { return b(x) }`,
  )
  assert.deepEqual([simple.fault, to(simple), simple.symbols, calls(simple)], [undefined, ['./a', './b'], ['f'], ['f>b']])
  const own = jsFacts(
    'a.js',
    `// @flow\nimport typeof C from './c'\nimport { typeof d, type E } from './d'\nexport type X = {| a: C |}\nopaque type Y = string`,
  )
  assert.ok(own.fault)
  assert.deepEqual(own.references, [
    { to: './c', binds: [['default', 'C']] },
    {
      to: './d',
      binds: [
        ['d', 'd'],
        ['E', 'E'],
      ],
    },
  ])
})

test('in a file that the parser refuses, comments, strings and templates make no edges either', () => {
  const text = `<<<<<<<
// import a from './a'
/* import b from './b' */
const s = "import c from './c'"; const t = \`import d from './d' \${f(\`import e from './e'\`)}\`
obj.import('./g'); obj.require('./h'); const o = { import: 1 }; import.meta.env
import real from './real'
const open = \``
  assert.deepEqual(to(jsFacts('a.ts', text)), ['./real'])
})

test('the scripts of components are read, and the component is their default export', () => {
  const vue = `<!-- <script>import './no'</script> --><template><p title="<script>">{{ a }}</p></template>
<script lang="ts" src="./logic"></script>
<script setup lang="ts">import { a } from './a'; defineProps<{ x: string }>(); a<string>('x')</script>
<style lang="scss">@import './style'</style>`
  const svelte = `<script context="module">export const load = () => import('./load')</script><script lang="ts">let x: number; import B from './B.svelte'</script><B/>`
  const astro = `---\nimport Layout from '../Layout.astro'\nconst { x } = Astro.props as { x: string }\nif (!x) return\n---\n<Layout>import no from './no'</Layout><script>import './client'</script>`
  const mdx = `import { Chart } from './chart'\nexport const a = 1\n\n# Title\n\nimport is a word\n\n\`\`\`js\nimport no from './no'\n\`\`\`\n<Chart/>`
  for (const [path, text, leads] of [
    ['a.vue', vue, ['./logic', './a']],
    ['a.svelte', svelte, ['./load', './B.svelte']],
    ['a.astro', astro, ['../Layout.astro', './client']],
  ] as const) {
    const facts = jsFacts(path, text)
    assert.deepEqual([facts.fault, to(facts), facts.exports.at(-1)], [undefined, leads, ['default', 'default']], path)
  }
  assert.deepEqual(to(jsFacts('a.mdx', mdx)), ['./chart'])
  const conflict = jsFacts('a.vue', "<script>\n<<<<<<< a\nimport './a'\n=======\nimport './b'\n>>>>>>> b\n</script>")
  assert.deepEqual([to(conflict), conflict.fault !== undefined], [['./a', './b'], true])
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
