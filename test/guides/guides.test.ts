import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { standardPlugins } from '@gateway/standard'
import { plan } from '../../kernel/core/src/boot/plan.ts'
import { filesUnder, root } from '../../scripts/workspaces.mjs'

const read = (folder: string, end: string): readonly (readonly [string, string])[] =>
  [...filesUnder(join(root, folder))].filter(({ path }) => path.endsWith(end)).map(({ path }) => [path, readFileSync(path, 'utf8')])

const sources = read('examples/guides', '.ts')
const guides = read('docs/guides', '.md')
const blocksOf = (text: string): string[] => [...text.matchAll(/^```ts\n(.*?)^```/gms)].map(([, block = '']) => block)

test('every block of TypeScript in the guides stands, line for line, in code that is compiled and tested', () => {
  const strays = guides.flatMap(([path, text]) =>
    blocksOf(text)
      .filter((block) => !sources.some(([, source]) => `\n${source}`.includes(`\n${block}`)))
      .map((block) => `${path}:\n${block}`),
  )
  assert.deepEqual(strays, [])
  assert.ok(guides.flatMap(([, text]) => blocksOf(text)).length >= 15)
})

test('every file of that code is shown in a guide, and every guide is in the list', () => {
  const shown = guides.map(([, text]) => text).join('\n')
  const unseen = sources.filter(([path, source]) => !path.includes('/test/') && !blocksOf(shown).some((block) => source.includes(block)))
  assert.deepEqual(
    unseen.map(([path]) => path),
    [],
  )
  const [, list = ''] = guides.find(([path]) => path.endsWith('README.md')) ?? []
  for (const [path] of guides) assert.ok(path.endsWith('README.md') || list.includes(`(${path.split('/').at(-1)})`), path)
})

test('the first guide is its plugin from the first line to the last, so that whoever copies it has all of it', () => {
  const [, guide = ''] = guides.find(([path]) => path.endsWith('first-plugin.md')) ?? []
  const [test = '', ...code] = blocksOf(guide).toSorted((a, b) => Number(b.includes('node:test')) - Number(a.includes('node:test')))
  const written = (file: string) => readFileSync(join(root, 'examples/guides/bookmarks', file), 'utf8')
  assert.equal(code.join('\n'), written('src/index.ts'))
  assert.equal(test, written('test/plugin.test.ts'))
})

test('a config file that a guide shows switches off only what the others can do without', () => {
  const shown = guides.flatMap(([, text]) => [...text.matchAll(/^```json\n(.*?)^```/gms)].map(([, block = '']) => JSON.parse(block)))
  const off = shown.flatMap(({ plugins = {} }) => Object.entries(plugins)).flatMap(([id, value]) => (value === false ? [id] : []))
  assert.ok(off.length > 0)
  for (const id of off) {
    assert.ok(
      standardPlugins.some((plugin) => plugin.id === id),
      id,
    )
    plan(standardPlugins.filter((plugin) => plugin.id !== id))
  }
})
