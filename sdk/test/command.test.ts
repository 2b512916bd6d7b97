import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CommandError, type CommandHandler, commandHandler, defineCommand, EXIT, isCommandError, jsonOption } from '@gateway/sdk'

const handler = commandHandler({
  options: {
    most: { type: 'string', description: 'At most.' },
    tag: { type: 'string', multiple: true, description: 'Tags.' },
    ...jsonOption,
  },
  async run({ values }) {
    const typed: readonly [string | undefined, string[] | undefined, boolean | undefined] = [values.most, values.tag, values.json]
    // @ts-expect-error no such option
    return typed.length > 3 ? values.least : EXIT.ok
  },
})

test('a command is its name, a line, and where the rest is; nothing of it runs when it is declared', () => {
  const load = () => Promise.reject(new Error('it was loaded'))
  assert.deepEqual(defineCommand('shelf', { summary: 'Show it.', load }), { kind: 'command', name: 'shelf', summary: 'Show it.', load })
  defineCommand('shelf', { summary: 'Show it.', load: async () => ({ default: handler }) })
  // @ts-expect-error a module exports what commandHandler makes
  defineCommand('shelf', { summary: 'Show it.', load: async () => ({ default: {} }) })
})

test('a handler has the parts that its author left out', () => {
  const { usage, details, options }: CommandHandler = commandHandler({ run: async () => EXIT.ok })
  assert.deepEqual([usage, details, options], ['', undefined, {}])
})

test('the end of a command is recognised, of another copy of the SDK too, and nothing else is', async () => {
  const other = (await import(`../src/command/exit.ts?${'second-copy'}`)) as typeof import('../src/command/exit.ts')
  const error = new other.CommandError(EXIT.refused, 'No.', { code: 'FORBIDDEN' })
  assert.equal(error instanceof CommandError, false, 'the copies must be two')
  assert.equal(isCommandError(error), true)
  for (const thing of [new Error('x'), { exitCode: 1, message: 'x' }, null, 'x']) assert.equal(isCommandError(thing), false)
})
