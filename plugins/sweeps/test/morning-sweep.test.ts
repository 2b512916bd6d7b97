import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beside, start, task } from './support.ts'

const names = (of: readonly { repo: string }[]) => of.map(({ repo }) => repo)

test('repos are ranked by what waits there, stuck and urgent work first, and the top three are briefed', async () => {
  await using gateway = await start()
  await task(gateway, 'calm', 'someday', { priority: 'P3' })
  await task(gateway, 'stuck', 'help', { priority: 'P1' }, 'blocked')
  await task(gateway, 'urgent', 'now', { priority: 'P0' })
  await task(gateway, 'urgent', 'now too', { priority: 'P0' })
  await task(gateway, 'usual', 'soon')
  const { repos, briefs, report, delivered } = await gateway.call('morning_sweep')
  assert.deepEqual(names(repos), ['urgent', 'stuck', 'usual', 'calm'])
  assert.deepEqual(names(briefs), ['urgent', 'stuck', 'usual'])
  assert.match(report, /^# Morning report, 2026-01-05\n\n\*\*4 pending · 0 in work · 0 to review · 1 stuck\*\* in 4 repos\./)
  assert.match(report, /## 1\. urgent[\s\S]*## 2\. stuck[\s\S]*\*\*Stuck\*\*\n\n- P1 help/)
  assert.match(report, /\| urgent \| 2 \| 2 \| 0 \| 0 \| 0 \|/)
  assert.equal(delivered, false)
})

test('an agent briefs where one answers: the one that is named, within so many tokens', async () => {
  const { plugin, asked } = beside({ agents_invoke: () => ({ text: 'Ship the door.' }) })
  await using gateway = await start({ plugins: [plugin] })
  await task(gateway, 'web', 'the door')
  const { briefs, report } = await gateway.call('morning_sweep')
  assert.deepEqual(briefs, [{ repo: 'web', text: 'Ship the door.', by: 'agent' }])
  assert.match(report, /## 1\. web\n\nShip the door\./)
  assert.deepEqual([asked[0]?.args.agent, asked[0]?.args.repo, asked[0]?.args.maxTokens], ['project-manager', 'web', 600])
  assert.match(String(asked[0]?.args.message), /P2 the door/)
  await gateway.call('morning_sweep', { agent: 'scout', briefMaxTokens: 50, topN: 1 })
  assert.deepEqual([asked[1]?.args.agent, asked[1]?.args.maxTokens], ['scout', 50])
})

test('an agent that fails is no failure of the report: the figures brief', async () => {
  const { plugin } = beside({
    agents_invoke: () => {
      throw new Error('no model')
    },
  })
  await using gateway = await start({ plugins: [plugin] })
  await task(gateway, 'web', 'the door')
  const { briefs } = await gateway.call('morning_sweep')
  assert.equal(briefs[0].by, 'figures')
  assert.match(briefs[0].text, /1 pending \(0 urgent\)/)
})

test('an agent that did not answer for one repo is not asked, and waited for, for the next', async () => {
  const { plugin, asked } = beside({
    agents_invoke: () => {
      if (asked.length === 2) throw new Error('no model')
      return { text: 'Ship it.' }
    },
  })
  await using gateway = await start({ plugins: [plugin] })
  for (const repo of ['a', 'b', 'c', 'd']) await task(gateway, repo, 'x')
  const { briefs } = await gateway.call('morning_sweep', { topN: 4 })
  assert.deepEqual(
    briefs.map(({ by }: { by: string }) => by),
    ['agent', 'figures', 'figures', 'figures'],
  )
  assert.equal(asked.length, 2)
})

test('topN says how many are briefed, none if so wished', async () => {
  await using gateway = await start()
  for (const repo of ['a', 'b', 'c', 'd']) await task(gateway, repo, 'x')
  assert.deepEqual(names((await gateway.call('morning_sweep', { topN: 1 })).briefs), ['a'])
  assert.deepEqual((await gateway.call('morning_sweep', { topN: 0 })).briefs, [])
})

test('the report goes to the chat that is named, else to the default one', async () => {
  const { plugin, asked } = beside({ notifications_send: () => ({ results: [{ channel: 'team', status: 'sent' }] }) })
  await using gateway = await start({ plugins: [plugin], env: { DEFAULT_CHAT_ID: 'lobby' } })
  const { delivered, report } = await gateway.call('morning_sweep', { chatId: 'war-room' })
  assert.equal(delivered, true)
  assert.deepEqual([asked[0]?.args.chatId, asked[0]?.args.message], ['war-room', report])
  await gateway.call('morning_sweep')
  assert.equal(asked[1]?.args.chatId, 'lobby')
  await gateway.call('morning_sweep', {}, { as: { tenantId: 'acme' } })
  assert.ok(asked[2] && !('chatId' in asked[2].args), 'another tenant names none, and has the default of the channel')
})

test('a chat that does not take it is said, and the report returned all the same', async () => {
  const { plugin } = beside({ notifications_send: () => ({ results: [{ channel: 'team', status: 'failed', error: 'no answer' }] }) })
  await using gateway = await start({ plugins: [plugin] })
  const { delivered, note, report } = await gateway.call('morning_sweep', { chatId: 'lobby' })
  assert.deepEqual([delivered, note], [false, 'no answer'])
  assert.match(report, /Nothing waits/)
})

test('a title is part of a line, whatever it holds', async () => {
  await using gateway = await start()
  await task(gateway, 'web', '# Not\n\na [heading](http://x)')
  const { report } = await gateway.call('morning_sweep')
  assert.match(report, /- P2 \\# Not a \\\[heading\\\]\(http:\/\/x\)/)
})
