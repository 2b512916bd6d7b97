import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { standardPlugins } from '@gateway/standard'
import { startTestGateway } from '@gateway/testing'

// Contributions of families to the bundle of a boot, and the part that a tenant's transport receives.

const folder = await mkdtemp(join(tmpdir(), 'gateway-boot-'))
const root = join(folder, 'hub')
await mkdir(root)
await writeFile(join(root, 'managed-repos.json'), '[]')
after(() => rm(folder, { recursive: true, force: true }))

const start = () => startTestGateway({ plugins: standardPlugins, env: { GATEWAY_ROOT: root } })

test('a boot tells what the plan of the repo has next, and that mail waits for it; what is done is told no more', async () => {
  await using gateway = await start()
  const days = [
    { day: 1, focus: 'Lay the floor', status: 'done' },
    { day: 2, focus: 'Hang the door' },
    { day: 3, focus: 'Paint', status: 'blocked' },
    { day: 4, focus: 'Move in', status: 'disabled' },
  ]
  await gateway.call('plan_set', { repo: 'hub', days })
  const { message } = await gateway.call('mail_send', { to: 'Hub', from: 'ada', kind: 'request', subject: 'The key "is" lost' })
  const next = async () => (await gateway.call('context_boot', { repo: 'hub', budget: 6_000, include: ['brief'] })).brief.next as string
  const told = await next()
  assert.match(told, /- plan, day 2 \(2026-01-[\dT:.]+Z\): Hang the door\n- plan, day 3 \(2026-01-[\dT:.]+Z, blocked\): Paint/)
  assert.doesNotMatch(told, /floor|Move in/)
  assert.match(
    told,
    /- unread mail for `hub`: 1, the newest of kind request from `ada \(operator\)` about "The key \\"is\\" lost"; `mail_inbox` \{"to": "hub"\}/,
  )
  await gateway.call('mail_ack', { id: message.messageId, ackedBy: 'hub' })
  gateway.clock.advance(10 * 86_400)
  assert.doesNotMatch(await next(), /plan|mail/)
})

const noGit = spawnSync('git', ['--version']).error !== undefined
test('the way of a tenant: first boot with the brain, first delta, first session merged, each when it is done and not before', {
  skip: noGit && 'no git',
}, async () => {
  await using gateway = await start()
  const done = async () => Object.keys((await gateway.documents()).funnel?.[0] ?? {}).filter((key) => /brain|merge/.test(key))
  await gateway.call('context_boot', { repo: 'hub' })
  assert.deepEqual(await done(), [], 'a brain without atoms has nothing to say')
  await gateway.call('brain_commit', { kind: 'session', repo: 'hub', slug: 'one', content: '# One' })
  const since = (await gateway.call('brain_status')).lastCommit?.sha ?? (await gateway.call('brain_log')).commits[0].sha
  await gateway.call('context_boot', { repo: 'hub', budget: 4_000 })
  assert.deepEqual(await done(), ['first_brain_boot'])
  await gateway.call('brain_delta', {})
  assert.deepEqual(await done(), ['first_brain_boot'], 'a brief is no delta')
  await gateway.call('brain_delta', { since })
  assert.deepEqual((await done()).sort(), ['first_brain_boot', 'first_brain_delta'])
  await gateway.call('brain_branch', { slug: 'try', kind: 'idea' })
  await gateway.call('brain_commit', { kind: 'session', repo: 'hub', slug: 'two', content: '# Two' })
  await gateway.call('brain_merge')
  assert.equal((await done()).length, 2, 'an idea wraps nothing up')
  await gateway.call('brain_branch', { slug: 'work', kind: 'session' })
  await gateway.call('brain_commit', { kind: 'session', repo: 'hub', slug: 'three', content: '# Three' })
  await gateway.call('brain_merge')
  assert.deepEqual((await done()).sort(), ['first_brain_boot', 'first_brain_delta', 'wrapup_merge'])
})
