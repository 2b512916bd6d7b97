import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closed, definePlugin, defineTool, Type } from '@gateway/sdk'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import { git } from '../src/api.ts'
import gitPlugin from '../src/index.ts'

const asker = definePlugin({
  id: 'asker',
  sdk: '^1.0.0',
  description: 'Sets the helper going, for a test.',
  tools: [
    defineTool({
      name: 'ask_git',
      description: 'Ask git for its version.',
      capability: 'read',
      effect: 'read',
      input: Type.Object({}, closed),
      output: Type.Unknown(),
      uses: { git },
      handle: (_args, { git }) => git.status({ probe: true }),
    }),
  ],
})
const look = async (gateway: TestGateway) => (await gateway.inject({ method: 'GET', url: '/health/deep' })).json().git

test('a look starts no helper, and asks one that is there', async () => {
  await using gateway = await startTestGateway({ plugins: [gitPlugin, asker] })
  assert.deepEqual(await look(gateway), { status: 'healthy', running: false })
  const { version, pid } = await gateway.call('ask_git')
  assert.deepEqual(await look(gateway), { status: 'healthy', running: true, version })
  process.kill(pid, 'SIGKILL')
})
