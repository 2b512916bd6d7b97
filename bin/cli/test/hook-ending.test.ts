import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ServiceClient } from '@gateway/sdk/command'
import { sendAll } from '../src/hook/send.ts'
import { Spool } from '../src/hook/spool.ts'
import { temporaryFolder } from './cli-fixture.ts'

test('an end is told again, a few times, to a session that stays open because steps came meanwhile', async (t) => {
  const home = await temporaryFolder(t)
  for (const [answers, told] of [
    [['active', 'closed'], 2],
    [['active', 'active', 'active', 'active'], 3],
  ] as const) {
    const left: string[] = [...answers]
    let ends = 0
    const post = async (path: string) => {
      if (!path.endsWith('/end')) return {}
      ends++
      return { status: left.shift() }
    }
    const spool = Spool.of(`s${told}`, { HOME: home, TMPDIR: home })
    spool.begin({ sessionId: `s${told}`, host: 'claude-code', repo: 'web', root: home, machine: 'm', isSent: true } as never)
    spool.end({ ending: 'ended', branch: 'main', commits: [], uncommitted: [] })
    await sendAll({ post } as unknown as ServiceClient, spool)
    assert.equal(ends, told)
  }
})
