import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closed, defineCollection, definePlugin, defineTool, gatewayWide, Type } from '@gateway/sdk'
import { startTestGateway } from '@gateway/testing'

const notices = defineCollection('notices', {
  schema: Type.Object({ noticeId: Type.String() }, closed),
  key: 'noticeId',
  text: ['noticeId'],
})
const post = defineTool({
  name: 'notice_post',
  description: 'For tests.',
  capability: 'work',
  effect: 'write',
  input: Type.Object({ noticeId: Type.String() }, closed),
  output: Type.Object({}),
  uses: { wide: gatewayWide(notices) },
  handle: async (notice, { wide }) => wide.writable().insert(notice),
})
const read = defineTool({
  name: 'notice_read',
  description: 'For tests.',
  capability: 'read',
  effect: 'read',
  input: Type.Object({}, closed),
  output: Type.Object({}),
  uses: { wide: gatewayWide(notices), own: notices },
  handle: async (_, { wide, own }) => ({
    wide: [
      await wide.count(),
      (await wide.find()).items,
      (await wide.getMany(['n1'])).length,
      await wide.get('n1'),
      (await wide.search({ text: 'n1' })).map(({ item }) => item),
    ],
    own: (await own.find()).items,
  }),
})
const plugin = definePlugin({ id: 'notices', sdk: '^1.0.0', description: 'For tests.', collections: [notices], tools: [post, read] })
const owner = { as: { tenantId: 'acme', kind: 'user', role: 'owner' } } as const

test('what the operator writes gateway-wide every tenant reads, beside its own documents', async () => {
  await using gateway = await startTestGateway({ plugins: [plugin] })
  await gateway.call('notice_post', { noticeId: 'n1' })
  const seen = { wide: [1, [{ noticeId: 'n1' }], 1, { noticeId: 'n1' }, [{ noticeId: 'n1' }]], own: [] }
  assert.deepEqual(await gateway.call('notice_read', {}, owner), seen)
  assert.deepEqual(await gateway.call('notice_read'), seen, 'nor is it among the operator’s own')
  await gateway.restart()
  assert.deepEqual(await gateway.call('notice_read', {}, owner), seen)
})

test('a tenant’s caller does not write gateway-wide, whatever its role, also where roles are not enforced', async () => {
  await using gateway = await startTestGateway({ plugins: [plugin] })
  await assert.rejects(gateway.call('notice_post', { noticeId: 'n1' }, owner), { code: 'FORBIDDEN' })
  assert.equal((await gateway.call('notice_read')).wide[0], 0)
})

test('a plugin has its own collections gateway-wide only', async () => {
  const other = definePlugin({ id: 'other', sdk: '^1.0.0', description: 'For tests.', tools: [read] })
  const listed = definePlugin({ id: 'notices', sdk: '^1.0.0', description: 'For tests.', collections: [notices] })
  await assert.rejects(startTestGateway({ plugins: [listed, other] }), /collection notices is private to plugin 'notices'/)
})
