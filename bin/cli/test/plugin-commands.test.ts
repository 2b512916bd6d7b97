import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { runCommand } from '@gateway/cli'
import { defineCommand, definePlugin } from '@gateway/sdk'
import { gateway, runProgram, serveNotes, temporaryFolder } from './cli-fixture.ts'

const shelves = join(import.meta.dirname, 'plugins', 'shelves.mjs')
const takesStatus = join(import.meta.dirname, 'plugins', 'takes-status.mjs')

async function configWith(t: TestContext, ...plugins: string[]) {
  const folder = await temporaryFolder(t)
  const file = join(folder, 'gateway.config.json')
  await writeFile(file, JSON.stringify({ plugins: Object.fromEntries(plugins.map((plugin) => [plugin, {}])) }))
  return { folder, file }
}

test('a plugin that a named config file has brings commands: to the help, to completion, and to whoever runs them', async (t) => {
  const { file, folder } = await configWith(t, shelves)
  const { url } = await serveNotes(t, { config: { [shelves]: {} } })
  const env = { GATEWAY_CONFIG: file, GATEWAY_URL: url }

  const { stdout } = await gateway(['help'], env)
  assert.match(stdout, /^ {2}version +Print .*\n {2}shelf-show +Show the shelves\.$/m)
  assert.equal(
    (await gateway(['help', 'shelf-show'], env)).stdout.replaceAll(/ +/g, ' '),
    'Show the shelves.\n\nUsage: gateway shelf-show [SHELF]\n\nAll of them, or whether one is there.\n\n --upper In capitals.\n' +
      ' --url URL The service to call. Default: GATEWAY_URL, else that of the last login, else the local one.\n --json Print JSON, for scripts.\n',
  )
  assert.match((await gateway(['completion', 'bash'], env)).stdout, /shelf-show\) first="" options="--upper --url --json --help"/)
  assert.match((await gateway(['shelf-shw'], env)).stderr, /Did you mean `shelf-show`\?/)

  const shown = await gateway(['shelf-show', '--upper'], env)
  assert.deepEqual([shown.code, shown.stdout], [0, 'shelf   tenant\nTOP     local\nMIDDLE  local\n'], shown.stderr)
  // Commands of the folder's own config file, named by its folder.
  const byRoot = await gateway(['shelf-show', '--json', '--url', url], { GATEWAY_ROOT: folder })
  assert.deepEqual(byRoot.json(), { shelves: ['top', 'middle'] })
  const none = await gateway(['shelf-show', 'bottom'], env)
  assert.deepEqual([none.code, none.stderr], [1, 'gateway: There is no shelf bottom.\n'])
  const misspelt = await gateway(['shelf-show', '--uper'], env)
  assert.deepEqual([misspelt.code, /Did you mean --upper\?/.test(misspelt.stderr)], [64, true])
})

test('its command is refused and finds nobody as the own ones are', async (t) => {
  const { file } = await configWith(t, shelves)
  const { url } = await serveNotes(t)
  const refused = await gateway(['shelf-show'], { GATEWAY_CONFIG: file, GATEWAY_URL: url })
  assert.deepEqual([refused.code, refused.stderr], [2, 'gateway: Unknown tool: shelf_list (UNKNOWN_TOOL)\n'])
  const alone = await gateway(['shelf-show'], { GATEWAY_CONFIG: file, GATEWAY_URL: 'http://127.0.0.1:9' })
  assert.deepEqual([alone.code, /No gateway answers at http:\/\/127\.0\.0\.1:9/.test(alone.stderr)], [3, true])
})

test('a config file of a folder that nobody named loads no code, and what it has is said', async (t) => {
  const { folder } = await configWith(t, join(import.meta.dirname, 'plugins', 'no-such-plugin.mjs'))
  const unknown = await gateway(['shelf-show'], {}, folder)
  assert.equal(unknown.code, 64)
  assert.match(unknown.stderr, /^gateway: There is no command "shelf-show"; .* which was not looked at: name the file with GATEWAY_CONFIG/)
  const help = await gateway(['help'], {}, folder)
  assert.deepEqual([help.code, /not looked at/.test(help.stderr)], [0, true])
})

test('what keeps a plugin or its command from being loaded is a sentence, and the others are there', async (t) => {
  const { file } = await configWith(t, shelves, './gone.mjs')
  const env = { GATEWAY_CONFIG: file }
  const help = await gateway(['help'], env)
  assert.match(help.stdout, /^ {2}shelf-show /m)
  assert.match(help.stderr, /^gateway: The plugin \.\/gone\.mjs was not looked at: .*gone\.mjs does not exist/)
  const broken = await gateway(['shelf-broken'], env)
  assert.equal(broken.code, 1)
  assert.match(broken.stderr, /^gateway: The command shelf-broken of plugin 'shelves' cannot be loaded: Cannot find module .*\n$/)
  const bare = await gateway(['help', 'shelf-bare'], env)
  assert.equal(
    bare.stderr,
    "gateway: The command shelf-bare of plugin 'shelves' cannot be loaded: the default export of its module is not what commandHandler makes.\n",
  )
  const completion = await gateway(['completion', 'zsh'], env)
  assert.deepEqual([completion.code, /shelf-show\)/.test(completion.stdout), /shelf-broken/.test(completion.stderr)], [0, true, true])
})

test('a config file that cannot be used keeps no client from the commands of the built-in families', async (t) => {
  const { file } = await configWith(t)
  await writeFile(file, '{ "plugins": ')
  const { code, stderr } = await gateway(['frobnicate'], { GATEWAY_CONFIG: file })
  assert.equal(code, 64)
  assert.match(stderr, /There is no command "frobnicate".* External plugins were not loaded: .* cannot be read as JSON/)
  assert.equal((await gateway(['help'], { GATEWAY_CONFIG: file })).code, 0)
})

test('a built-in family that is switched off gives way to who takes its place, on the command line too', async (t) => {
  const load = () => Promise.reject(new Error('the old one was loaded'))
  const old = definePlugin({
    id: 'old-shelves',
    sdk: '^1.0.0',
    description: 'Had shelves.',
    commands: [defineCommand('shelf-show', { summary: 'Show the old shelves.', load })],
  })
  const { file } = await configWith(t, shelves)
  const env = { GATEWAY_CONFIG: file }
  const help = () => runCommand({ plugins: async () => [old], argv: ['help', 'shelf-show'], env })
  assert.match((await help()).stderr, /of plugin 'old-shelves' cannot be loaded: the old one was loaded/)
  await writeFile(file, JSON.stringify({ plugins: { 'old-shelves': false, [shelves]: {} } }))
  assert.match((await help()).stdout, /\n\nUsage: gateway shelf-show \[SHELF\]\n/)
})

test('the gateway’s own commands are found without a look at any plugin', async (t) => {
  const { url } = await serveNotes(t)
  const plugins = () => Promise.reject(new Error('the plugins were loaded'))
  const { file } = await configWith(t, './gone.mjs')
  for (const argv of [['status'], ['version'], ['tools'], ['call', 'count_notes'], ['help', 'start'], ['status', '--help']]) {
    const { code, stderr } = await runCommand({ plugins, argv, env: { GATEWAY_URL: url, GATEWAY_CONFIG: file } })
    assert.deepEqual([code, stderr], [0, ''], argv.join(' '))
  }
})

test('a plugin whose command has a name of the gateway’s own is refused at the start, and the own one stays what it is', async (t) => {
  const { file, folder } = await configWith(t, takesStatus)
  const refused = await runProgram(['start'], { GATEWAY_CONFIG: file, GATEWAY_DATA_DIR: folder })
  assert.deepEqual(
    [refused.code, refused.stderr],
    [1, "gateway: plugin 'takes-status' failed in plan: command status is one of the gateway’s own; rename it\n"],
  )
  assert.match((await gateway(['help', 'status'], { GATEWAY_CONFIG: file })).stdout, /the status of the running service/)
})
