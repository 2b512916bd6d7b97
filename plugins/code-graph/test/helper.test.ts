import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closed, definePlugin, defineTool, Type } from '@gateway/sdk'
import { graphs } from '../src/services/graphs.ts'
import { nodes, start } from './support.ts'

const seer = definePlugin({
  id: 'seer',
  sdk: '^1.0.0',
  description: 'For tests.',
  tools: [
    defineTool({
      name: 'seer_helper',
      description: 'For tests.',
      capability: 'read',
      effect: 'read',
      input: Type.Object({}, closed),
      output: Type.Object({}),
      uses: { graphs },
      handle: async (_, { graphs }) => ({ pid: graphs.pid }),
    }),
  ],
})
const many = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`f${at}.ts`, `import './f${(at + 1) % 300}'`]))

type Set = Awaited<ReturnType<typeof start>>
const helper = async (set: Set): Promise<number | undefined> => (await set.call('seer_helper')).pid
async function kill(set: Set): Promise<void> {
  for (;;) {
    const pid = await helper(set)
    if (pid !== undefined) return void process.kill(pid, 'SIGKILL')
    await new Promise(setImmediate)
  }
}
const imports = async (set: Set, node: string) => nodes(await set.call('get_neighbors', { node, edgeTypes: ['import'] }), 'import')

test('nobody asks, nothing runs; a helper that is killed between two questions is replaced', async () => {
  await using set = await start(many, {}, [seer])
  assert.equal(await helper(set), undefined)
  assert.deepEqual(await imports(set, 'f0.ts'), ['f1.ts'])
  await kill(set)
  await set.write({ 'f0.ts': "import './f7'" })
  assert.deepEqual(await imports(set, 'f0.ts'), ['f7.ts'])
})

test('questions that a helper dies of are asked again of the next one', async () => {
  await using set = await start(many, {}, [seer])
  const asked = Array.from({ length: 5 }, (_, at) => imports(set, `f${at}.ts`))
  await kill(set)
  assert.deepEqual(
    await Promise.all(asked),
    Array.from({ length: 5 }, (_, at) => [`f${at + 1}.ts`]),
  )
})
