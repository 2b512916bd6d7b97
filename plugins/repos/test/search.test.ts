import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { test } from 'node:test'
import { closed, definePlugin, defineTool, searchSource, Type } from '@gateway/sdk'
import { ACME, start } from './support.ts'

/** Asks all sources of the search for a word, and for the names that forms offer. */
const asking = definePlugin({
  id: 'asking',
  sdk: '^1.0.0',
  description: 'Asks the search.',
  tools: [
    defineTool({
      name: 'search_ask',
      description: 'Returns the found ids and the offered names.',
      capability: 'read',
      effect: 'read',
      input: Type.Object({ query: Type.String() }, closed),
      output: Type.Object({ ids: Type.Array(Type.String()), names: Type.Array(Type.String()) }, closed),
      uses: { sources: searchSource },
      async handle({ query }, { sources }) {
        const repos = sources.filter(({ kind }) => kind === 'repo')
        const found = await Promise.all(repos.map((source) => source.find(query, 10)))
        const names = await Promise.all(repos.map(async ({ names }) => (await names?.list(10)) ?? []))
        return { ids: found.flat().map(({ id }) => id), names: names.flat() }
      },
    }),
  ],
})

test('the search finds repos of the roster and of the list of managed repos, which no other tenant sees, also while the list is broken', async () => {
  await using started = await start({}, { plugins: [asking] })
  const { gateway, file } = started
  await gateway.call('repos_upsert', { name: 'pump-api', path: '/nowhere/pump-api' })
  await writeFile(file, JSON.stringify([{ name: 'pump-web', path: '/nowhere/pump-web' }]))
  const both = { ids: ['pump-api', 'pump-web'], names: ['pump-api', 'pump-web'] }
  assert.deepEqual(await gateway.call('search_ask', { query: 'pump' }), both)
  assert.deepEqual(await gateway.call('search_ask', { query: 'pump' }, ACME), { ids: [], names: [] })
  await writeFile(file, '[')
  assert.deepEqual(await gateway.call('search_ask', { query: 'pump' }), { ids: ['pump-api'], names: ['pump-api'] })
})
