import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Facts } from '../src/rules/facts.ts'
import { Graph } from '../src/rules/graph.ts'
import { jsFacts } from '../src/rules/js-facts.ts'
import { pythonFacts } from '../src/rules/python-facts.ts'

/** Generates statements of JavaScript over some modules and names. */
function statements(modules: readonly string[], names: readonly string[]): fc.Arbitrary<string> {
  const [module, name] = [fc.constantFrom(...modules), fc.constantFrom(...names)]
  return fc.oneof(
    fc.tuple(module, name, name).map(([from, theirs, ours]) => `import { ${theirs} as ${ours} } from './${from}'`),
    fc.tuple(module, name).map(([from, ours]) => `import * as ${ours} from './${from}'`),
    fc.tuple(module, name, name).map(([from, theirs, as]) => `export { ${theirs} as ${as} } from './${from}'`),
    module.map((from) => `export * from './${from}'`),
    fc.tuple(module, name).map(([from, as]) => `export * as ${as} from './${from}'`),
    name.map((own) => `export function ${own}() {}`),
    name.map((own) => `export class ${own} { m() { this.n() } n() {} }`),
    name.map((own) => `export { ${own} }`),
    fc.tuple(name, name).map(([called, member]) => `${called}.${member}(); ${called}()`),
  )
}
const python = fc.oneof(
  fc
    .tuple(fc.constantFrom('p', 'p.q', 'r', '.', '.q'), fc.constantFrom('x', 'y', 'q', '*'))
    .map(([from, what]) => `from ${from} import ${what}`),
  fc.constantFrom('import p.q', 'import r', 'def x(): y()', 'def y(): pass', 'x()', 'q.x()'),
)
type Change = readonly [path: string, lines: readonly string[] | undefined]
/** Generates files that are written or deleted, some at the same time. */
function batches(paths: readonly string[], js: fc.Arbitrary<string>): fc.Arbitrary<Change[][]> {
  const linesOf = (path: string) => fc.array(path.endsWith('.py') ? python : js, { maxLength: 4 })
  const change = fc.constantFrom(...paths).chain((path) => fc.tuple(fc.constant(path), fc.option(linesOf(path), { nil: undefined })))
  return fc.array(fc.array(change, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 12 })
}

const factsOf = (path: string, lines: readonly string[]): Facts =>
  path.endsWith('.py') ? pythonFacts(lines.join('\n')) : jsFacts(path, lines.join('\n'))

/** Returns the answers to all questions to a graph, in a fixed order. */
function everything(graph: Graph): unknown {
  const sorted = (set: Iterable<string>) => [...set].sort()
  return [...graph.facts.keys()].sort().map((path) => {
    const links = graph.links(path)
    return {
      path,
      imports: sorted(links?.imports ?? []),
      packages: sorted(links?.packages ?? []),
      missing: sorted(links?.missing ?? []),
      uses: sorted(links?.uses ?? []),
      calls: sorted((links?.calls ?? []).map(({ by, file, symbol }) => `${by} > ${file}#${symbol}`)),
      tests: sorted(links?.tests ?? []),
      importers: sorted(graph.importers(path)),
      users: sorted(graph.users(path)),
      callers: sorted(graph.callers(path)),
      testers: sorted(graph.testers(path)),
    }
  })
}

type Settings = Readonly<Record<string, unknown>> | undefined
function heldAgainstOneMadeAnew(all: readonly (readonly Change[])[], settings: readonly Settings[] = []): void {
  const graph = new Graph()
  const now = new Map<string, Facts>()
  let configs = new Map<string, unknown>()
  for (const [at, batch] of all.entries()) {
    const given = settings[at]
    if (given) configs = new Map(Object.entries(given))
    const files = new Map<string, Facts | undefined>()
    for (const [path, lines] of batch) files.set(path, lines && factsOf(path, lines))
    for (const [path, facts] of files) {
      if (facts) now.set(path, facts)
      else if (!now.delete(path)) files.delete(path)
    }
    graph.apply({ files, ...(given && { configs }) })
    const anew = new Graph()
    anew.apply({ files: new Map(now), configs })
    assert.deepEqual(everything(graph), everything(anew))
  }
}

const numRuns = Number(process.env.FUZZ ?? 300)
const everyKind = ['a.ts', 'a.web.ts', 'b.ts', 'b/index.ts', 'b/index.ios.ts', 'c.ts', 'd.js', 'd.d.ts', 'index.ts', 'c.test.ts']
const pythonFiles = ['p/__init__.py', 'p/q.py', 'p/r.py', 'r.py', 'q.py', 'p/conftest.py', 'p/s/__init__.py', 'p/s/t.py']
for (const [what, some] of [
  [
    'files of every kind',
    batches([...everyKind, ...pythonFiles.slice(0, 3)], statements(['a', 'b', 'c', 'd', 'index', ''], ['x', 'y', 'z'])),
  ],
  ['modules and packages of Python', batches(pythonFiles, statements(['a'], ['x']))],
  ['files that pass names on to each other', batches(['a.ts', 'b.ts', 'c.ts', 'd.ts'], statements(['a', 'b', 'c'], ['x', 'y']))],
] as const) {
  test(`after whatever was saved, added and deleted of ${what} the graph is the one that is made from nothing`, () =>
    fc.assert(
      fc.property(some, (all) => heldAgainstOneMadeAnew(all)),
      { numRuns },
    ))
}

const paths = (target: string) => ({ compilerOptions: { paths: { '@/*': [target] } } })
const setting = fc.record(
  {
    'tsconfig.json': fc.constantFrom(paths('./*'), paths('./p/*'), { compilerOptions: { baseUrl: './p' } }, undefined),
    'p/tsconfig.json': fc.constantFrom(paths('../*'), {}),
    'package.json': fc.constantFrom(
      { name: 'own', imports: { '#x': { browser: './a.ts', default: './p/c.ts' } } },
      { imports: { '#x': './b.ts' } },
      { browser: { './a.ts': './b.ts', own: './p/c.ts' } },
    ),
    'p/package.json': fc.constantFrom({ name: 'own', exports: './c.ts' }, { name: 'p' }),
    'p/pyproject.toml': fc.constant(true),
  },
  { requiredKeys: [] },
)
const setFiles = ['a.ts', 'b.ts', 'p/a.ts', 'p/c.ts', 'p/b.test.ts', 'p/q.py', 'r.py', 'x.py']
const led = statements(['a', 'b'], ['x', 'y']).chain((line) => fc.constantFrom('./', '@/', '').map((way) => line.replace("'./", `'${way}`)))
const named = fc.constantFrom("export * from '#x'", "import { x as y } from '#x'", "export { x } from 'own'", "import * as z from 'own'")
const settable = batches(setFiles, fc.oneof(led, named))
test('the same whatever was set meanwhile of how references are resolved', () =>
  fc.assert(
    fc.property(settable, fc.array(fc.option(setting, { nil: undefined }), { minLength: 12, maxLength: 12 }), (all, settings) =>
      heldAgainstOneMadeAnew(
        // Half of them are applied separately, as when a setting is saved.
        all.flatMap((batch) => [batch, []]),
        settings.flatMap((one) => [undefined, one]).concat(settings),
      ),
    ),
    { numRuns },
  ))

test('a setting touches those whose references then lead elsewhere and those who import over them, and nobody else', () => {
  const texts = {
    'one/a.ts': 'export const x = 1',
    'two/a.ts': 'export const x = 2',
    'set.ts': "export * from '@/a'",
    'over.ts': "import { x } from './set'",
    'beside.ts': "import { x } from './one/a'",
  }
  const graph = new Graph()
  const files = new Map(Object.entries(texts).map(([path, text]) => [path, jsFacts(path, text)]))
  graph.apply({ files, configs: new Map([['tsconfig.json', paths('./one/*')]]) })
  const before = new Map([...files.keys()].map((path) => [path, graph.links(path)]))
  graph.apply({ files: new Map(), configs: new Map([['tsconfig.json', paths('./two/*')]]) })
  assert.deepEqual(
    [...files.keys()].filter((path) => graph.links(path) !== before.get(path)),
    ['set.ts', 'over.ts'],
  )
  assert.deepEqual([...(graph.links('over.ts')?.uses ?? [])], ['two/a.ts#x'])
})

test('a call over a module that is imported by its name from a package ends with the function', () =>
  heldAgainstOneMadeAnew([
    [
      ['r.py', ['from p import q', 'q.x()']],
      ['s.py', ['from r import q', 'q.x()']],
      ['p/q.py', ['def x(): pass']],
    ],
    [['p/q.py', []]],
    [['p/q.py', ['def x(): pass']]],
  ]))
