import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { packageFromStack } from '../src/package-from-stack.ts'
import { gateway, startService, temporaryFolder } from './cli-fixture.ts'

test('a promise nobody waited for is logged with its plugin and survived; an exception nobody caught is fatal, drained, and ends with 1', async (t) => {
  const folder = await temporaryFolder(t)
  const module = join(folder, 'index.mjs')
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'some-plugin', peerDependencies: { '@gateway/sdk': '^1.0.0' } }))
  await writeFile(
    module,
    `export const float = () => void Promise.reject(new Error('floating'))
export const crash = () => void setTimeout(() => { throw new Error('crashed') })`,
  )
  const env = { GATEWAY_DATA_DIR: await temporaryFolder(t), FAULTY: module }
  const service = await startService(t, env, [], join(import.meta.dirname, 'faulty-program.ts'))
  const call = async (tool: string) => (await gateway(['call', tool, '{}'], { GATEWAY_URL: service.url })).code
  for (let n = 0; n < 2; n++) assert.equal(await call('faulty_float'), 0)
  await call('faulty_crash')
  const { code, signal, log } = await service.signal()
  const lines = log
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { level: number; plugin?: string; msg: string; err?: Error })
  const faults = lines.filter(({ level }) => level >= 50).map(({ level, plugin, err }) => [level, plugin, err?.message])
  assert.deepEqual(faults, [
    [50, 'some-plugin', 'floating'],
    [50, 'some-plugin', 'floating'],
    [60, 'some-plugin', 'crashed'],
  ])
  assert.deepEqual([code, signal, lines.at(-1)?.msg], [1, null, 'stopped'])
})

test('a stack without code of a plugin names nobody', () => {
  assert.equal(packageFromStack('Error: x\n    at node:internal/timers:581:17'), undefined)
  assert.equal(packageFromStack(new Error('of the kernel').stack ?? ''), undefined)
})
