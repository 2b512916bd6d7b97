import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { ended, spawnNotes, temporaryFolder } from './cli-fixture.ts'

const sdk = import.meta.resolve('@gateway/sdk')

/** Arguments and environment of a start with a plugin that is written in `source`. */
async function startWith(t: TestContext, source: string, over: Readonly<Record<string, string>> = {}) {
  const folder = await temporaryFolder(t)
  const plugin = join(folder, 'plugin.mjs')
  const config = join(folder, 'gateway.config.json')
  await writeFile(plugin, `import { definePlugin } from ${JSON.stringify(sdk)}\n${source}`)
  await writeFile(config, JSON.stringify({ plugins: { [plugin]: {} } }))
  const env = { GATEWAY_PORT: '0', GATEWAY_CONFIG: config, GATEWAY_DATA_DIR: join(folder, 'data'), ...over }
  const child = spawnNotes(['start'], env)
  t.after(() => void child.kill('SIGKILL'))
  return { child, plugin }
}

const plugin = (start: string): string => `export default definePlugin({ id: 'leaky', sdk: '^1.0.0', description: 'Leaks.', ${start} })`

test('a start that fails ends the process, whatever the plugin has left open', async (t) => {
  const { child } = await startWith(t, plugin("start() { setInterval(() => {}, 1_000); throw new Error('no connection') }"))
  const { code, stderr } = await ended(child)
  assert.deepEqual([code, /plugin 'leaky' failed in start: no connection/.test(stderr)], [1, true], stderr)
})

test('an import that never ends is given up, and the process ends', async (t) => {
  const source = `await new Promise(() => { setInterval(() => {}, 1_000) })\n${plugin('')}`
  const { child } = await startWith(t, source, { GATEWAY_START_TIMEOUT_MS: '200' })
  const { code, stderr } = await ended(child)
  assert.deepEqual([code, /its import took longer than 200 ms/.test(stderr)], [1, true], stderr)
})

test('the first signal ends a start that hangs', async (t) => {
  const source = plugin("start() { process.stderr.write('hangs'); return new Promise(() => { setInterval(() => {}, 1_000) }) }")
  const { child } = await startWith(t, source, { GATEWAY_START_TIMEOUT_MS: '600000' })
  const exited = once(child, 'exit')
  for await (const part of child.stderr as AsyncIterable<Buffer>) {
    if (part.toString().includes('hangs')) break
  }
  child.kill('SIGTERM')
  assert.deepEqual(await exited, [143, null])
})

for (const [when, source, says] of [
  ['imported', 'process.exit(0)', /^gateway: importing \S+plugin\.mjs ended the process; a plugin must not call process\.exit$/m],
  ['started', plugin('start() { process.exit(0) }'), /^gateway: the start of plugin 'leaky' ended the process;/m],
] as const) {
  test(`a plugin that ends the process while it is ${when} is named, and the start has failed`, async (t) => {
    const { child } = await startWith(t, source)
    const { code, stderr } = await ended(child)
    assert.equal(code, 1)
    assert.match(stderr, says)
  })
}
