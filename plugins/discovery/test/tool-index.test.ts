import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ToolIndex } from '../src/rules/tool-index.ts'
import { info } from './support.ts'

const found = (index: ToolIndex, query: string): string[] => index.search(query).map(({ name }) => name)

test('a word in the name counts more than one in the description, and that more than one among the arguments', () => {
  const properties = { shelf: { description: 'Where it stands.' } }
  const index = new ToolIndex([
    info('book_find', 'Find a book.', { input: { properties } }),
    info('book_move', 'Move a book to another shelf.'),
    info('shelf_find', 'Find a board.'),
    info('book_read', 'Read a book.'),
  ])
  assert.deepEqual(found(index, 'shelf'), ['shelf_find', 'book_move', 'book_find'])
})

test('family, what arguments are for and what values they take are looked at too', () => {
  const index = new ToolIndex([
    info('a_one', 'One.', { plugin: 'printing' }),
    info('a_two', 'Two.', { input: { properties: { x: { description: 'The colour.' }, y: { enum: ['landscape', 'portrait'] } } } }),
  ])
  assert.deepEqual(found(index, 'printing'), ['a_one'])
  assert.deepEqual(found(index, 'colour'), ['a_two'])
  assert.deepEqual(found(index, 'portrait'), ['a_two'])
})

test('a rare word counts more than one that many tools have', () => {
  const index = new ToolIndex([
    info('book_lend', 'Lend.'),
    info('book_burn', 'Burn.'),
    info('map_lend', 'Lend.'),
    info('book_read', 'Read.'),
  ])
  assert.equal(found(index, 'burn book')[0], 'book_burn')
})

test('synonyms are found, after the word itself', () => {
  const index = new ToolIndex([info('lease_take', 'Take a lease.'), info('lock_take', 'Take a lock.'), info('mail_read', 'Read mail.')])
  assert.deepEqual(found(index, 'lock'), ['lock_take', 'lease_take'])
  assert.deepEqual(found(index, 'message'), ['mail_read'])
})

test('the domain’s words are known by what agents call them', () => {
  const tools = ['lease_x', 'memory_x', 'mail_x', 'schedule_x', 'restore_x', 'tenant_x', 'task_x', 'swarm_x', 'runner_x', 'budget_x']
  const index = new ToolIndex(tools.map((name) => info(name, 'X.')))
  const said = {
    lock: 'lease_x',
    mutex: 'lease_x',
    remember: 'memory_x',
    inbox: 'mail_x',
    cron: 'schedule_x',
    nightly: 'schedule_x',
    undelete: 'restore_x',
    customer: 'tenant_x',
    ticket: 'task_x',
    subtasks: 'swarm_x',
    machine: 'runner_x',
    money: 'budget_x',
  }
  for (const [word, name] of Object.entries(said)) assert.equal(found(index, word)[0], name, word)
})

test('a tool that has a word and its synonyms is not meant several times', () => {
  const index = new ToolIndex([info('a_x', 'Lock.'), info('b_x', 'Lock mutex lease semaphore.', { name: 'b_x' })])
  assert.deepEqual(found(index, 'lock'), ['a_x', 'b_x'])
})

test('a word that no tool has is met by what it begins and by what stands in it', () => {
  const index = new ToolIndex([info('maintenance_enter', 'Enter.'), info('health_x', 'Healthy.')])
  assert.deepEqual(found(index, 'maint'), ['maintenance_enter'])
  assert.deepEqual(found(index, 'unhealthy'), ['health_x'])
  assert.deepEqual(found(index, 'ma'), [])
})

test('a question prefers what only reads', () => {
  const tools = [info('lease_release', 'A lease.', { effect: 'write' }), info('lease_owner', 'A lease.')]
  const index = new ToolIndex(tools)
  assert.deepEqual(found(index, 'who has the lease'), ['lease_owner', 'lease_release'])
  assert.deepEqual(found(index, 'lease'), ['lease_release', 'lease_owner'])
})

test('a tool’s own name finds it first, whatever else has its words', () => {
  const index = new ToolIndex([info('task_next_next', 'Next task, next task.'), info('task_next', 'Something else entirely.')])
  assert.equal(found(index, ' Task_Next ')[0], 'task_next')
})

test('equal tools stand in the order of the list', () => {
  const tools = ['b', 'a', 'c'].map((letter) => info(`book_${letter}${letter}`, 'Same.'))
  assert.deepEqual(
    found(new ToolIndex(tools), 'book'),
    tools.map(({ name }) => name),
  )
})

test('no tools, no words, and words nobody has find nothing', () => {
  assert.deepEqual(found(new ToolIndex([]), 'book'), [])
  const index = new ToolIndex([info('book_find', 'Find a book.')])
  for (const query of ['', '   ', 'the of and', 'zebra', '☕☕', '__proto__', 'constructor'])
    assert.deepEqual(found(index, query), [], query)
})
