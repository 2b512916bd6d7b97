import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { runCommand } from '@gateway/cli'
import type { Plugin } from '@gateway/sdk'
import { standardPlugins } from '@gateway/standard'
import { startTestGateway } from '@gateway/testing'
import { filesUnder } from '../../scripts/workspaces.mjs'
import { shapeFaults } from '../support/plugin-shape.ts'
import { installOutside, run } from './outside.ts'

const outside = await installOutside('my-notes')
const reason = 'unreachable' in outside ? outside.unreachable : undefined
const folder = 'folder' in outside ? outside.folder : ''
after(() => ('remove' in outside ? outside.remove() : undefined))

const promise = (name: string): string => (reason === undefined ? name : `${name} (skipped: ${reason})`)
const options = { skip: reason ?? false }

const pluginCheck = () => runCommand({ plugins: async () => standardPlugins, argv: ['plugin', 'check'], env: {}, cwd: folder })

test(
  promise('a new plugin compiles outside the repository against the packed SDK, and its types are those of the SDK'),
  options,
  async () => {
    const compiled = await run('npm', ['run', 'build'], folder)
    assert.equal(compiled.code, 0, compiled.output)
    // Missing declarations would make everything `any`, and anything compile.
    const source = join(folder, 'src', 'wrong.ts')
    await writeFile(
      source,
      "import { defineJob } from '@gateway/sdk'\n\nexport const wrong: string = defineJob('my-notes.wrong', { everySeconds: 1, run: async () => 1 }).everySeconds\n",
    )
    const refused = await run('npx', ['--no-install', 'tsc', '--noEmit'], folder)
    await writeFile(source, 'export {}\n')
    assert.notEqual(refused.code, 0)
    assert.match(refused.output, /Type 'number' is not assignable to type 'string'/)
  },
)

test(promise('its tests pass, against the packed kernel'), options, async () => {
  const tested = await run(process.execPath, ['--test', 'dist/test/plugin.test.js'], folder)
  assert.equal(tested.code, 0, tested.output)
  assert.match(tested.output, /(# |ℹ )fail 0/)
})

test(promise('its folder has the shape that every family has'), options, async () => {
  const { default: plugin } = (await import(pathToFileURL(join(folder, 'dist/src/index.js')).href)) as { default: Plugin }
  const src = join(folder, 'src')
  // Excludes the file that the test above left there.
  const files = [...filesUnder(src)].map(({ path }) => relative(src, path)).filter((path) => path !== 'wrong.ts')
  assert.deepEqual(shapeFaults(plugin, files), [])
})

test(promise('a gateway loads it by path, with its own copy of the SDK, and serves its tools over MCP'), options, async () => {
  await using gateway = await startTestGateway({ plugins: standardPlugins, config: { [folder]: { keepDays: 1 } } })
  const call = async (name: string, args: object) => {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }
    const headers = { accept: 'application/json, text/event-stream' }
    return (await gateway.inject({ method: 'POST', url: '/mcp', headers, body })).json().result
  }
  const { note } = (await call('my_notes_add', { text: 'Buy milk' })).structuredContent
  assert.deepEqual((await call('my_notes_list', {})).structuredContent, { notes: [note] })
  assert.equal((await call('my_notes_add', { text: '' })).isError, true)
  gateway.clock.advance(2 * 86_400)
  await gateway.runJob('my-notes.tidy')
  assert.deepEqual((await call('my_notes_list', {})).structuredContent, { notes: [] })
})

test(promise('its command runs, with its own copy of the SDK, and asks the service'), options, async () => {
  await using gateway = await startTestGateway({ plugins: standardPlugins, config: { [folder]: {} }, listen: true })
  const config = join(folder, 'gateway.config.json')
  await writeFile(config, JSON.stringify({ plugins: { '.': {} } }))
  const env = { GATEWAY_CONFIG: config, GATEWAY_URL: gateway.url }
  const run = (...argv: string[]) => runCommand({ plugins: async () => standardPlugins, argv, env })
  await run('call', 'my_notes_add', '{"text":"Buy milk"}')
  const listed = await run('my-notes-list')
  assert.match(listed.stdout, /^\d{4}-\S+ +Buy milk\n$/, listed.stderr)
  assert.match((await run('help')).stdout, /^ {2}my-notes-list +List the notes\.$/m)
})

test(promise('`gateway plugin check` passes it, and names what is wrong once something is'), options, async () => {
  const good = await pluginCheck()
  assert.equal(good.code, 0, good.stdout)
  assert.match(good.stdout, /^ok +every argument explains itself$/m)
  assert.match(good.stdout, /\nmy-notes: all \d+ checks pass\.\n$/)

  const snapshot = join(folder, 'test', '__snapshots__', 'my_notes_add.json')
  await writeFile(snapshot, (await readFile(snapshot, 'utf8')).replace('Keep a note', 'Keep one note'))
  const bad = await pluginCheck()
  assert.equal(bad.code, 1)
  assert.match(bad.stdout, /^fail +my_notes_add is what its snapshot says$/m)
  assert.match(bad.stdout, /my_notes_add differs from \S+my_notes_add\.json; if that is intended, update it/)
  assert.match(bad.stdout, /\nmy-notes: 1 of \d+ checks fail\.\n$/)
})
