import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CommandHandler, commandHandler, defineCommand, definePlugin, EXIT } from '@gateway/sdk'
import { pluginChecks } from '@gateway/testing'

const run = async () => EXIT.ok
/** Returns the outcome of a command's check: `kept`, or the fault. */
async function outcome(summary: string, handler: Promise<CommandHandler>): Promise<string> {
  const load = async () => ({ default: await handler })
  const plugin = definePlugin({ id: 'x', sdk: '^1.0.0', description: 'Does x.', commands: [defineCommand('x-show', { summary, load })] })
  const check = pluginChecks(plugin, { snapshots: '' }).find(({ promise }) => promise.startsWith('command x-show'))
  assert.ok(check)
  return check.run().then(
    () => 'kept',
    (error: Error) => error.message,
  )
}

test('a command that can be loaded and explains itself passes', async () => {
  const options = { most: { type: 'string', description: 'Largest number.' } } as const
  assert.equal(await outcome('Show x.', Promise.resolve(commandHandler({ options, run }) as unknown as CommandHandler)), 'kept')
})

test('a command that cannot be loaded, is no handler, or explains nothing does not', async () => {
  assert.equal(await outcome('Show x.', Promise.reject(new Error('gone'))), 'gone')
  assert.match(await outcome('Show x.', Promise.resolve({} as CommandHandler)), /not what commandHandler makes/)
  const mute = commandHandler({ options: { most: { type: 'string', description: '' } }, run }) as unknown as CommandHandler
  assert.match(await outcome('show x', Promise.resolve(mute)), /no sentence says what these are: its summary, --most/)
})
