import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { test } from 'node:test'
import { contribute, defineCollection, definePlugin, externalData, Type } from '@gateway/sdk'
import { standardPlugins } from '@gateway/standard'
import { filesUnder, root } from '../../scripts/workspaces.mjs'
import { mentionFaults, outsideFaults, type Source } from '../support/outside-writes.ts'

/** Their data outside the store belongs to no tenant, or another family removes it. */
const NO_TENANTS: Readonly<Record<string, string>> = {
  embeddings: 'the model, the same for everybody',
  git: 'repositories of brains, which the family brain removes through it; hooks, the same for everybody',
  health: 'nothing: it asks how much room the data folder has',
  repos: 'the operator’s list of managed repos, in the operator’s own folder',
  runner: 'work trees and logs on the machine of a runner, which is a client of the service',
  state: 'the operator’s own repos; what other tenants write lies in the store',
}

for (const plugin of standardPlugins) {
  test(`what plugins/${plugin.id} keeps outside the store goes with its tenant`, () => {
    const src = join(root, 'plugins', plugin.id, 'src')
    const sources = [...filesUnder(src)].map(({ path }): Source => ({ file: relative(src, path), text: readFileSync(path, 'utf8') }))
    assert.deepEqual(outsideFaults(plugin, sources, NO_TENANTS), [])
  })
}

for (const plugin of standardPlugins) {
  test(`what plugins/${plugin.id} says of other tenants in its documents goes with them`, () => {
    assert.deepEqual(mentionFaults(plugin), [])
  })
}

test('a family whose documents name another tenant must say how the name goes', () => {
  const loan = Type.Object({ loanId: Type.String(), borrowerTenantId: Type.String() }, { additionalProperties: false })
  const loans = defineCollection('shelves.loans', { schema: loan, key: 'loanId' })
  const plugin = definePlugin({ id: 'shelves', sdk: '^1.0.0', description: 'Shelves.', collections: [loans] })
  assert.deepEqual(mentionFaults(plugin), [
    'shelves.loans has borrowerTenantId: contribute tenantMentions, so that it goes with that tenant',
  ])
})

const identity = { id: 'shelves', sdk: '^1.0.0', description: 'Shelves.' }
const shelves = definePlugin(identity)
const declaring = definePlugin({
  ...identity,
  contributes: [
    contribute(externalData, { create: () => ({ name: 'shelves.boxes', count: async () => 0, remove: async () => undefined }) }),
  ],
})

const writing = [
  "import { writeFile } from 'node:fs/promises'",
  "import { rm,\n  renameSync } from 'node:fs'",
  "import * as fs from 'node:fs'",
  "import fs from 'node:fs'",
  "import { open } from 'node:fs/promises'\nconst file = await open(path, 'wx')",
  'const folder = join(gateway.dataDir, name)',
]
for (const text of writing) {
  test(`a family without a word on erasure must not say ${JSON.stringify(text)}`, () => {
    const sources = [{ file: 'operations/box.ts', text }]
    assert.match(outsideFaults(shelves, sources, {}).join(), /^operations\/box\.ts .*: contribute externalData/)
    assert.deepEqual(outsideFaults(declaring, sources, {}), [])
    assert.deepEqual(outsideFaults(shelves, sources, { shelves: 'they are everybody’s' }), [])
  })
}

test('reading files asks for no word, and an excuse that is not needed is a fault', () => {
  const reading = [{ file: 'operations/look.ts', text: "import { open, readFile, stat } from 'node:fs/promises'\nawait open(path, 'r')" }]
  assert.deepEqual(outsideFaults(shelves, reading, {}), [])
  assert.deepEqual(outsideFaults(shelves, reading, { shelves: 'none' }), ['shelves keeps nothing outside the store: take it off the list'])
})
