import assert from 'node:assert/strict'
import { test } from 'node:test'
import { misspelt } from '../src/rules/typing-errors.ts'
import { start, storeAll } from './support.ts'

const near = (word: string): ReadonlySet<string> => misspelt(word, new Set([word]))[0]?.meant ?? new Set()

test('a missing, doubled, swapped or neighbouring letter is a typing error; another first letter or a short word is none', () => {
  for (const typed of ['pasword', 'passsword', 'passwrod', 'passworf']) assert.ok(near(typed).has('password'), typed)
  for (const typed of ['bassword', 'pssword0', 'pass']) assert.equal(near(typed).has('password'), false, typed)
  assert.ok(near('whicj').size === 0 && !near('shoudl').has('should'), 'stop words are not meant')
  assert.ok(near('internationally').size < 500)
})

test('of a question the two longest words that no text has are looked at', () => {
  const unknown = new Set(['aaaaaa', 'bbbbbbb', 'cccccccc'])
  assert.deepEqual(
    misspelt('aaaaaa bbbbbbb known cccccccc', unknown).map(({ stem }) => stem),
    ['cccccccc', 'bbbbbbb'],
  )
})

test('a question with a typing error finds what was meant, by memory_search and recall_session', async () => {
  await using gateway = await start()
  await storeAll(gateway, [
    { content: 'The certificate of the registry expires in March.', sessionId: 's1' },
    { content: 'The bakery by the registry office closes in March.', sessionId: 's2' },
  ])
  for (const query of ['certifcate', 'cretificate of the registry', 'When does the certificatr expire?']) {
    const { results } = await gateway.call('memory_search', { query })
    assert.match(results[0]?.content ?? '', /certificate/, query)
    assert.match(JSON.stringify(await gateway.call('recall_session', { query })), /certificate/, query)
  }
})

test('a word that some text has is never replaced, and a repo finds no word of another one', async () => {
  await using gateway = await start()
  await storeAll(gateway, [
    { content: 'The planner sorts the queue.', repo: 'web' },
    { content: 'The planter stands in the hall.', repo: 'web' },
    { content: 'The scanner reads receipts.', repo: 'api' },
  ])
  const found = async (query: string, repo: string) =>
    (await gateway.call('memory_search', { query, repo })).results.map(({ content }: { content: string }) => content)
  assert.deepEqual(await found('planter', 'web'), ['The planter stands in the hall.'])
  assert.deepEqual(await found('scannner', 'web'), [])
  assert.deepEqual(await found('scannner', 'api'), ['The scanner reads receipts.'])
})
