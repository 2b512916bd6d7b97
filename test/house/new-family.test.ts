import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { Plugin } from '@gateway/sdk'
import { houseRules } from '@gateway/testing'
import { familyFiles } from '../../scripts/new-family/family-files.ts'
import { withDependency, withImport, withWorkspace } from '../../scripts/new-family/lists.ts'
import { planFamily } from '../../scripts/new-family/plan.ts'
import { writeFamily } from '../../scripts/new-family/write.ts'
import { fromSources } from '../../scripts/typescript/options.mjs'
import { filesUnder, root } from '../../scripts/workspaces.mjs'
import type { Row } from '../catalogue/catalogue.ts'
import { rowFaults, toolFaults } from '../catalogue/catalogue-faults.ts'
import { drawnIcons } from '../support/drawn-icons.ts'
import { shapeFaults } from '../support/plugin-shape.ts'
import { placeholdersIn } from './placeholders.ts'

/** The files of this repository that a new family changes. */
const repository = mkdtempSync(join(tmpdir(), 'gateway-new-family-'))
after(() => rmSync(repository, { recursive: true }))
const parts = [
  'biome.json',
  '.gitignore',
  'package.json',
  'package-lock.json',
  'sdk/package.json',
  'plugins/standard',
  'test/catalogue',
  'plugins/leases',
]
for (const path of parts) cpSync(join(root, path), join(repository, path), { recursive: true, filter: (from) => !from.endsWith('dist') })
// A separate scope, since the family is linked there.
mkdirSync(join(repository, 'node_modules/@gateway'), { recursive: true })
for (const name of ['.bin', '@biomejs']) symlinkSync(join(root, 'node_modules', name), join(repository, 'node_modules', name))
for (const [name, at] of [
  ['sdk', 'sdk'],
  ['testing', 'kernel/testing'],
] as const)
  symlinkSync(join(root, at), join(repository, 'node_modules/@gateway', name))

const text = (path: string): string => readFileSync(join(repository, path), 'utf8')

// An improbable name: this must pass next to every existing family.
test('a new family passes its own tests, the project rules, the shape and the catalogue, and is formatted', async () => {
  const family = planFamily(repository, ['unheard-of', 'unheard_add', 'unheard_list', 'unheard_remove', '--record', 'lending-slip'])
  assert.deepEqual(
    family.tools.map(({ effect }) => effect),
    ['write', 'read', 'destructive'],
  )
  await writeFamily(repository, family)
  const folder = join(repository, 'plugins/unheard-of')
  const files = [...filesUnder(folder)].map(({ path }) => relative(folder, path))

  const tests = files.filter((path) => path.endsWith('.test.ts')).map((path) => join(folder, path))
  assert.equal(tests.length, 4)
  const { NODE_TEST_CONTEXT: _runner, ...env } = process.env
  // Runs in one process: loading the gateway is most of their cost.
  const imports = tests.map((path) => `import ${JSON.stringify(pathToFileURL(path).href)}`).join('\n')
  const ran = spawnSync(process.execPath, [...fromSources, '--input-type=module', '--eval', imports], {
    cwd: repository,
    encoding: 'utf8',
    env,
  })
  assert.equal(ran.status, 0, ran.stdout + ran.stderr)

  const { default: plugin } = (await import(pathToFileURL(join(folder, 'src/index.ts')).href)) as { default: Plugin }
  assert.deepEqual(
    houseRules.flatMap(({ faults }) => faults(plugin)),
    [],
  )
  const sources = files.filter((path) => path.startsWith('src/')).map((path) => relative('src', path))
  assert.deepEqual(shapeFaults(plugin, sources), [])
  const drawn = drawnIcons()
  assert.ok(plugin.pages.length > 0 && plugin.pages.every(({ icon }) => drawn.has(icon)))
  const rows = JSON.parse(text('test/catalogue/tools.json')) as Row[]
  assert.deepEqual([...rowFaults(rows), ...toolFaults([plugin], rows)], [])
  assert.deepEqual(readdirSync(join(folder, 'test/__snapshots__')), ['unheard_add.json', 'unheard_list.json', 'unheard_remove.json'])

  assert.match(text('plugins/standard/src/index.ts'), /^import unheardOf from '@gateway\/plugin-unheard-of'$[^]*^ {2}unheardOf,\n\]$/m)
  assert.match(text('plugins/unheard-of/README.md'), /`unheard_add`/)
  assert.match(text('plugins/standard/src/areas.ts'), /'unheard-of'/)
  assert.match(text('plugins/unheard-of/src/collections.ts'), /export const lendingSlips = [^]*key: 'lendingSlipId'/)
  assert.match(text('plugins/unheard-of/src/pages/unheard-of.ts'), /title: 'Lending slips'/)
  assert.ok(placeholdersIn(repository, folder).length >= 5, 'its author finds each sentence to replace')
  const biome = spawnSync(join(root, 'node_modules/.bin/biome'), ['ci', '.'], { cwd: repository, encoding: 'utf8' })
  assert.equal(biome.status, 0, biome.stderr)
})

test('the lists are as npm and the formatter leave them: a family taken out and put in again changes none of them', () => {
  const leases = { ...planFamily(repository, ['anew', 'anew_list']), id: 'leases' }
  const lock = JSON.parse(text('package-lock.json')) as { packages: Record<string, { dependencies?: Record<string, string> }> }
  const before = `${JSON.stringify(lock, null, 2)}\n`
  delete lock.packages['plugins/leases']
  delete lock.packages['node_modules/@gateway/plugin-leases']
  delete lock.packages['plugins/standard']?.dependencies?.['@gateway/plugin-leases']
  assert.equal(withWorkspace(`${JSON.stringify(lock, null, 2)}\n`, leases), before)

  const manifest = text('plugins/standard/package.json')
  assert.equal(withDependency(manifest.replace(/.*plugin-leases.*\n/, ''), leases), manifest)

  const index = text('plugins/standard/src/index.ts')
  const imports = (source: string): string => source.slice(0, source.indexOf('export'))
  assert.equal(imports(withImport(index.replace(/.*plugin-leases.*\n/, ''), leases)), imports(index))
})

test('what a family keeps is called a record unless --record names it, in one form for each use', () => {
  const kept = (words: readonly string[]) => familyFiles(planFamily(repository, ['notes', 'note_list', ...words])).get('src/collections.ts')
  assert.match(kept([]) ?? '', /export const records = .*schema: recordSchema, key: 'recordId'/)
  assert.match(kept(['--record', 'entry']) ?? '', /export const entries = .*schema: entrySchema, key: 'entryId'/)
  assert.match(kept(['--record', 'box']) ?? '', /export const boxes = /)
})

test('what the catalogue knows of a tool is taken from there', () => {
  const [row] = (JSON.parse(text('test/catalogue/tools.json')) as Row[]).filter(
    ({ family }) => !existsSync(join(repository, 'plugins', family)),
  )
  assert.ok(row)
  const { name, family, effect, description, core = false } = row
  assert.deepEqual(planFamily(repository, [family, name]).tools, [{ name, effect, description, core }])
})

const refused: readonly { words: string[]; says: RegExp }[] = [
  { words: [], says: /the id must be in kebab-case, as job-history; got nothing\nname at least one tool/ },
  { words: ['My_Notes', 'note_list'], says: /kebab-case, as job-history; got My_Notes/ },
  { words: ['export', 'export_list'], says: /export is a word of the language/ },
  { words: ['leases', 'lease_new'], says: /plugins\/leases is there already/ },
  { words: ['notes', 'note_list', '--record', 'My Note'], says: /--record must be a noun in kebab-case, as lending-slip; got My Note/ },
  { words: ['notes', 'note_list', '--record'], says: /--record must be a noun in kebab-case, as lending-slip; got nothing/ },
  { words: ['notes', 'list'], says: /two or more words in snake_case, as shelf_list; got list/ },
  { words: ['notes', 'note_list', 'note_list'], says: /note_list is named twice/ },
  { words: ['notes', 'lease_list'], says: /lease_list belongs to the family leases/ },
]
for (const { words, says } of refused) {
  test(`new-family ${words.join(' ')} is refused, with the reason`, () => {
    assert.throws(() => planFamily(repository, words), says)
  })
}
