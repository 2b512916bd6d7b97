import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closed, defineCollection, definePlugin, defineTool, sharedWithCaller, Type } from '@gateway/sdk'
import { startTestGateway } from '@gateway/testing'

const letters = defineCollection('post.letters', { schema: Type.Object({ id: Type.String(), to: Type.String() }, closed), key: 'id' })
const write = defineTool({
  name: 'letter_write',
  description: 'Write it.',
  capability: 'work',
  effect: 'write',
  input: Type.Object({ id: Type.String(), to: Type.String() }, closed),
  output: Type.Object({}),
  uses: { letters },
  async handle(letter, { letters }) {
    await letters.insert(letter)
    return {}
  },
})
const read = defineTool({
  name: 'letter_read',
  description: 'Read it.',
  capability: 'read',
  effect: 'read',
  input: Type.Object({ from: Type.String(), id: Type.String() }, closed),
  output: Type.Object({ found: Type.Boolean() }),
  uses: { shared: sharedWithCaller(letters, 'to') },
  handle: async ({ from, id }, { shared }) => ({ found: (await shared(from).get(id)) !== undefined }),
})
const post = definePlugin({ id: 'post', sdk: '^1.0.0', description: 'Post.', collections: [letters], tools: [write, read] })

test('a document of another tenant is there for the tenant it names, and for no other', async () => {
  await using gateway = await startTestGateway({ plugins: [post] })
  await gateway.call('letter_write', { id: 'l1', to: 'acme' }, { as: { tenantId: 'owner' } })
  const found = async (tenantId: string, from = 'owner'): Promise<boolean> =>
    (await gateway.call('letter_read', { from, id: 'l1' }, { as: { tenantId } })).found
  assert.equal(await found('acme'), true)
  assert.equal(await found('other'), false)
  assert.equal(await found('owner'), false)
  assert.equal(await found('acme', 'other'), false)
})
