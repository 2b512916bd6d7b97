import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import outgoing from '@gateway/plugin-outgoing'
import { closed, defineTool, Type } from '@gateway/sdk'
import { needs } from '@gateway/testing'
import { pluginTools } from '../src/collections.ts'
import plugin from '../src/index.ts'
import { ENABLED, handler, json, refusal, register, start } from './support.ts'

type Remote = Awaited<ReturnType<typeof handler>>

const isSignedWith = (secret: string, { received }: Remote): boolean => {
  const { headers, body } = received.at(-1) as Remote['received'][number]
  const signature = createHmac('sha256', secret).update(`${headers['x-gateway-timestamp']}.${body}`).digest('hex')
  return headers['x-gateway-signature'] === `sha256=${signature}`
}

async function temporaryFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'plugin-tools-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

test('no file of the data folder has the secret, neither as shown nor in bytes, and what is stored does not sign', async (t) => {
  const dataDir = await temporaryFolder(t)
  await using remote = await handler(json(1))
  const shown: string[] = []
  let stored: readonly Readonly<Record<string, unknown>>[]
  {
    await using gateway = await start({ dataDir })
    shown.push((await register(gateway, { handlerUrl: remote.url })).secret)
    await gateway.call('shout', { text: 'a' })
    assert.ok(isSignedWith(shown[0] as string, remote))
    // Changed and removed ones too: a store does not overwrite what it deletes.
    shown.push((await register(gateway, { handlerUrl: `${remote.url}?other` })).secret)
    shown.push((await register(gateway, { name: 'removed', handlerUrl: remote.url })).secret)
    await gateway.call('plugin_tools_remove', { name: 'removed' })
    stored = (await gateway.documents())['plugin-tools'] as typeof stored
  }
  const files = (await readdir(dataDir, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  assert.ok(files.some(({ name }) => name === 'gateway.db') || process.env.STORE === 'mongodb')
  for (const { parentPath, name } of files) {
    // The store removes its log and the log's index when its last connection closes.
    const bytes = await readFile(join(parentPath, name)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' && /-(?:shm|wal)$/.test(name)) return Buffer.alloc(0)
      throw error
    })
    for (const secret of shown) {
      for (const form of [secret, secret.slice(4), Buffer.from(secret.slice(4), 'base64url')]) assert.ok(!bytes.includes(form), name)
    }
  }
  for (const value of Object.values(stored[0] ?? {})) assert.ok(!isSignedWith(String(value), remote))
})

test('calls are signed as before after a restart, and on another machine that has the hash key', async (t) => {
  const dataDir = await temporaryFolder(t)
  const env = { ...ENABLED, GATEWAY_HASH_KEY: 'ab'.repeat(32) }
  await using remote = await handler(json(1))
  await using gateway = await start({ dataDir, env })
  const { secret } = await register(gateway, { handlerUrl: remote.url })
  await rm(join(dataDir, 'keys'), { recursive: true, force: true })
  await gateway.restart()
  await gateway.call('shout', { text: 'a' })
  assert.ok(isSignedWith(secret, remote))
})

test(
  'under another hash key a call is refused and says what to do; nothing goes out, nothing rests; with the old key it works again',
  needs('any hash key'),
  async (t) => {
    const dataDir = await temporaryFolder(t)
    const withKey = (digits: string) => start({ dataDir, env: { ...ENABLED, GATEWAY_HASH_KEY: digits.repeat(32) } })
    await using remote = await handler(json(1))
    let secret: string
    {
      await using gateway = await withKey('ab')
      secret = (await register(gateway, { handlerUrl: remote.url })).secret
    }
    {
      await using gateway = await withKey('cd')
      for (let i = 0; i < 10; i++) {
        await assert.rejects(
          gateway.call('shout', { text: 'a' }),
          refusal('HANDLER_SECRET_LOST', { tool: 'shout' }, /Register the tool again/),
        )
      }
      assert.deepEqual(remote.received, [])
    }
    await using gateway = await withKey('ab')
    await gateway.call('shout', { text: 'a' })
    assert.ok(isSignedWith(secret, remote))
  },
)

test(
  'registering anew under another hash key makes a new secret and shows it, though the handler is the same',
  needs('any hash key'),
  async (t) => {
    const dataDir = await temporaryFolder(t)
    await using remote = await handler(json(1))
    let first: string
    {
      await using gateway = await start({ dataDir })
      first = (await register(gateway, { handlerUrl: remote.url })).secret
    }
    await using gateway = await start({ dataDir, env: { ...ENABLED, GATEWAY_HASH_KEY: 'ab'.repeat(32) } })
    const { created, secret } = await register(gateway, { handlerUrl: remote.url })
    assert.equal(created, false)
    assert.ok(secret && secret !== first)
    await gateway.call('shout', { text: 'a' })
    assert.ok(isSignedWith(secret, remote))
  },
)

/** Writes a stored document as earlier versions did. */
const unseal = defineTool({
  name: 'plugin_tools_unseal',
  description: 'For tests.',
  capability: 'work',
  effect: 'write',
  input: Type.Object({}, closed),
  output: Type.Object({}),
  uses: { pluginTools },
  handle: async (_, { pluginTools }) => ({ tool: await pluginTools.updateOne('shout', { set: { secret: 'pts_in_the_clear' } }) }),
})

test('a secret that was stored before they were sealed signs nothing any more, and is gone when the tool is registered anew', async () => {
  await using gateway = await start({ plugins: [outgoing, { ...plugin, tools: [...plugin.tools, unseal] }] })
  await using remote = await handler(json(1))
  await register(gateway, { handlerUrl: remote.url })
  await gateway.call('plugin_tools_unseal')
  await assert.rejects(gateway.call('shout', { text: 'a' }), refusal('HANDLER_SECRET_LOST'))
  assert.deepEqual(remote.received, [])
  const { secret } = await register(gateway, { handlerUrl: remote.url })
  await gateway.call('shout', { text: 'a' })
  assert.ok(isSignedWith(secret, remote))
  assert.ok(!JSON.stringify(await gateway.documents()).includes('pts_'))
})
