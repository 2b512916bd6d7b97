import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runCommand } from '@gateway/cli'
import { startTestGateway } from '@gateway/testing'
import guestbook from '../guestbook.ts'

test('who signs with the command is in the list that it prints', async () => {
  await using gateway = await startTestGateway({ plugins: [guestbook], listen: true })
  const run = (...argv: string[]) => runCommand({ plugins: async () => [guestbook], argv, env: { GATEWAY_URL: gateway.url } })
  assert.match((await run('guests', 'Ada Lovelace')).stdout, /^Ada Lovelace +\d{4}-/)
  assert.equal((await run('guests', '--json')).json().guests[0].name, 'Ada Lovelace')

  const refused = await run('guests', '--most', 'all')
  assert.deepEqual([refused.code, /limit.*\(BAD_REQUEST\)/.test(refused.stderr)], [2, true])
  assert.equal((await run('guests', 'Ada', 'Lovelace')).code, 64)
})
