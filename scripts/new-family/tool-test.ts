import type { Family, NewTool } from './family.ts'

/** Returns the first tests of a new tool; its author adds more. */
export function toolTest({ tools }: Family, { name, effect }: NewTool): string {
  const writer = tools.find((tool) => tool.effect === 'write')?.name
  return `import assert from 'node:assert/strict'
import { test } from 'node:test'
${effect === 'write' ? "import { refusal } from '@gateway/testing'\n" : ''}import { start } from './support.ts'

${tests[effect](name, writer)}`
}

const tests: Readonly<Record<NewTool['effect'], (name: string, writer: string | undefined) => string>> = {
  read: (name, writer) =>
    writer === undefined
      ? `test('there is nothing to see at first', async () => {
  await using gateway = await start()
  assert.deepEqual(await gateway.call('${name}'), { records: [] })
})
`
      : `test('what was written is seen, the newest first, a page at a time, and by its tenant alone', async () => {
  await using gateway = await start()
  const { record: older } = await gateway.call('${writer}', { text: 'Older' })
  gateway.clock.advance(1)
  const { record: newer } = await gateway.call('${writer}', { text: 'Newer' })
  const { records, nextCursor } = await gateway.call('${name}', { limit: 1 })
  assert.deepEqual(records, [newer])
  assert.deepEqual(await gateway.call('${name}', { cursor: nextCursor }), { records: [older] })
  assert.deepEqual(await gateway.call('${name}', {}, { as: { tenantId: 'acme' } }), { records: [] })
})
`,
  write: (name) => `test('it is kept, over a restart, for its tenant alone', async () => {
  await using gateway = await start()
  const { record } = await gateway.call('${name}', { text: 'Keep this' })
  await gateway.restart()
  assert.deepEqual(Object.values(await gateway.documents()).flat(), [record])
  assert.deepEqual(Object.values(await gateway.documents('acme')).flat(), [])
})

test('a text that is empty, too long or missing is refused by name, and nothing is kept', async () => {
  await using gateway = await start()
  for (const args of [{ text: '' }, { text: 'x'.repeat(10_001) }, {}]) {
    await assert.rejects(gateway.call('${name}', args), refusal('BAD_REQUEST', 'text'))
  }
  assert.deepEqual(Object.values(await gateway.documents()).flat(), [])
})
`,
  destructive: (name, writer) => `test('what is not there is not found', async () => {
  await using gateway = await start()
  await assert.rejects(gateway.call('${name}', { recordId: 'nothing' }), { code: 'NOT_FOUND' })
})
${
  writer === undefined
    ? ''
    : `
test('it is gone, and another tenant cannot do that', async () => {
  await using gateway = await start()
  const { record } = await gateway.call('${writer}', { text: 'To go' })
  const { recordId } = record
  await assert.rejects(gateway.call('${name}', { recordId }, { as: { tenantId: 'acme' } }), { code: 'NOT_FOUND' })
  assert.deepEqual(await gateway.call('${name}', { recordId }), { record })
  assert.deepEqual(Object.values(await gateway.documents()).flat(), [])
})
`
}`,
}
