import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isQuestion, stem, words } from '../src/rules/words.ts'

/** Forms of one word, as agents and descriptions use them. */
const families = [
  ['lease', 'leases', 'leased', 'leasing'],
  ['release', 'releases', 'released', 'releasing'],
  ['schedule', 'schedules', 'scheduled', 'scheduling'],
  ['task', 'tasks'],
  ['stop', 'stops', 'stopped', 'stopping'],
  ['call', 'calls', 'called', 'calling'],
  ['query', 'queries', 'queried'],
  ['memory', 'memories'],
  ['branch', 'branches', 'branched'],
  ['access', 'accesses'],
  ['notify', 'notifies', 'notified', 'notifying'],
  ['claim', 'claimed', 'claiming'],
  ['ack', 'acks', 'acked'],
]

for (const forms of families) {
  test(`the forms of ${forms[0]} meet`, () => assert.equal(new Set(forms.map(stem)).size, 1, forms.map(stem).join(', ')))
}

test('different words stay different', () => {
  const all = ['status', 'state', 'embed', 'speed', 'string', 'morning', 'evening', 'lease', 'release', 'access', 'pin', 'ping', 'run']
  assert.equal(new Set(all.map(stem)).size, all.length)
})

test('names are taken apart, and what says nothing is left out', () => {
  assert.deepEqual(words('tasks_create'), ['task', 'creat'])
  assert.deepEqual(words('assignedAgent'), ['assign', 'agent'])
  assert.deepEqual(words('What should I do with the tool?'), [])
  assert.deepEqual(words('naïve ☕ P0'), ['naïv', 'p0'])
})

test('a question is told from an order', () => {
  for (const text of ['Who holds it?', 'list leases', '  how many']) assert.ok(isQuestion(text), text)
  for (const text of ['release a lease', 'lease list', '', '???']) assert.ok(!isQuestion(text), text)
})
