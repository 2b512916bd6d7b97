import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { closed, definePlugin, defineTool, Type } from '@gateway/sdk'
import { startTestGateway } from '@gateway/testing'
import { saveKey, saveToken } from '../src/credentials.ts'
import { type Env, gateway, serveNotes, temporaryFolder } from './cli-fixture.ts'

test('call takes arguments from text, from a file and one by one, and the single ones win', async (t) => {
  const dataDir = await temporaryFolder(t)
  const { url } = await serveNotes(t, { dataDir })
  const env = { GATEWAY_URL: url }
  await writeFile(join(dataDir, 'note.json'), '{"id":"from-file","text":"x"}')
  assert.deepEqual((await gateway(['call', 'put_note', '@note.json'], env, dataDir)).json(), { id: 'from-file' })
  assert.deepEqual((await gateway(['call', 'put_note', '@note.json', '--arg', 'id=single', '--arg', 'text=a=b'], env, dataDir)).json(), {
    id: 'single',
  })
  const wrongType = await gateway(['call', 'put_note', '{"id":5}', '--arg', 'text=x'], env)
  assert.equal(wrongType.code, 2)
  assert.match(wrongType.stderr, /^gateway: .*id.* \(BAD_REQUEST\)\n$/)
})

test('a single argument that is JSON is text where the tool takes text, and JSON where it takes that', async (t) => {
  const env = { GATEWAY_URL: (await serveNotes(t)).url }
  for (const id of ['123', 'true', 'null', '9007199254740993', '{"a":1}', '[1]', '1e3'])
    assert.deepEqual((await gateway(['call', 'put_note', '--arg', `id=${id}`, '--arg', 'text=5'], env)).json(), { id })
  assert.deepEqual((await gateway(['call', 'put_note', '--arg', 'id="quoted"', '--arg', 'text='], env)).json(), { id: 'quoted' })
  const unknown = await gateway(['call', 'count_notes', '--arg', 'no=5'], env)
  assert.match(unknown.stderr, /`no` is not known here/)
})

test('a refusal is its sentence, exit code 2, and the error record with --json', async (t) => {
  const { url } = await serveNotes(t, { config: { notes: { most: 1 } } })
  const env = { GATEWAY_URL: url }
  await gateway(['call', 'put_note', '{"id":"a","text":""}'], env)
  const refused = await gateway(['call', 'put_note', '{"id":"b","text":""}', '--json'], env)
  assert.equal(refused.code, 2)
  assert.equal(refused.stderr, 'gateway: There are 1 notes, and no more may be. (TOO_MANY)\n')
  assert.deepEqual([refused.json().code, refused.json().details], ['TOO_MANY', { most: 1 }])
  const unknown = await gateway(['call', 'no_such_tool'], env)
  assert.deepEqual([unknown.code, unknown.stderr], [2, 'gateway: Unknown tool: no_such_tool (UNKNOWN_TOOL)\n'])
})

test('tools lists the tools of the service, or of one family, and names the families there are', async (t) => {
  const { url } = await serveNotes(t)
  const env = { GATEWAY_URL: url }
  const all = await gateway(['tools'], env)
  assert.equal(all.stdout, 'put_note     notes  write  Keep a note.\ncount_notes  notes  read   Count the notes.\n')
  assert.equal((await gateway(['tools', 'notes'], env)).stdout, all.stdout)
  assert.deepEqual(
    (await gateway(['tools', '--json'], env)).json().tools.map((tool: { name: string }) => tool.name),
    ['put_note', 'count_notes'],
  )
  const none = await gateway(['tools', 'mail'], env)
  assert.deepEqual([none.code, none.stderr], [1, 'gateway: No family and no tool is called "mail". Families: notes.\n'])
  const near = await gateway(['tools', 'put_nte'], env)
  assert.match(near.stderr, /is called "put_nte"\. Did you mean `put_note`\?/)
  const one = await gateway(['tools', 'put_note'], env)
  assert.match(one.stdout, /^put_note \(notes, write\)\nKeep a note\. Comes back with its id\.\n\n {2}id +string\n {2}text +string\n$/)
  assert.equal((await gateway(['tools', 'put_note', '--json'], env)).json().inputSchema.type, 'object')
  const call = await gateway(['call', 'put_nte', '{}'], env)
  assert.deepEqual([call.code, call.stderr.endsWith('Did you mean `put_note`?\n')], [2, true], call.stderr)
})

test('tools and call know the tools that stand in no list but that of their family, or the core one', async () => {
  const tool = (name: string, listing: 'core-only' | 'family-only' | 'default') =>
    defineTool({
      name,
      description: 'Shelve a note.',
      capability: 'work',
      effect: 'write',
      listing,
      input: Type.Object({ shelf: Type.String() }, closed),
      output: Type.Object({}),
      handle: async () => ({}),
    })
  const shelves = definePlugin({
    id: 'shelves',
    sdk: '^1.0.0',
    description: 'Shelves.',
    tools: [tool('shelf_list', 'default'), tool('shelf_empty', 'family-only')],
  })
  const ladder = definePlugin({ id: 'ladder', sdk: '^1.0.0', description: 'A ladder.', tools: [tool('ladder_climb', 'core-only')] })
  await using service = await startTestGateway({ plugins: [shelves, ladder], listen: true })
  const env = { GATEWAY_URL: service.url }
  const names = async (...family: string[]): Promise<string[]> =>
    (await gateway(['tools', ...family, '--json'], env)).json().tools.map(({ name }: { name: string }) => name)
  assert.deepEqual(await names(), ['shelf_list', 'shelf_empty', 'ladder_climb'])
  assert.deepEqual(await names('shelves'), ['shelf_list', 'shelf_empty'])
  assert.deepEqual(await names('ladder'), ['ladder_climb'])
  for (const name of ['shelf_empty', 'ladder_climb']) {
    assert.match((await gateway(['tools', name], env)).stdout, new RegExp(`^${name} .*\n.*\n\n {2}shelf +string\n$`))
    assert.deepEqual((await gateway(['call', name, '--arg', 'shelf=5'], env)).json(), {})
    assert.match((await gateway(['call', `${name}x`], env)).stderr, new RegExp(`Did you mean \`${name}\`\\?`))
  }
})

test('where loopback is not trusted, the local token of the environment is sent', async (t) => {
  const token = { GATEWAY_LOCAL_TOKEN: 'a-local-token-of-some-length-0123456789' }
  const service = await serveNotes(t, { env: { GATEWAY_LOOPBACK_TRUST: '0', ...token } })
  const without = await gateway(['call', 'count_notes'], { GATEWAY_URL: service.url })
  assert.equal(without.code, 2)
  assert.match(without.stderr, /\(UNAUTHORIZED\)\n$/)
  assert.equal((await gateway(['call', 'count_notes'], { GATEWAY_URL: service.url, ...token })).code, 0)
})

test('a refused credential that a login kept is answered with the way to log in again, and one of the environment is not', async (t) => {
  const XDG_CONFIG_HOME = await temporaryFolder(t)
  const { url } = await serveNotes(t, { env: { GATEWAY_LOOPBACK_TRUST: '0' } })
  const env = { GATEWAY_URL: url, XDG_CONFIG_HOME }
  const call = async (more: Env = {}): Promise<string> => (await gateway(['call', 'count_notes'], { ...env, ...more })).stderr
  const again = `Log in again with \`gateway login --url ${url}\`.\n`
  await saveKey(url, 'gw_live_ended', env)
  assert.ok((await call()).endsWith(` (UNAUTHORIZED) ${again}`))
  await saveToken(url, { accessToken: 'gwa_ended', refreshToken: 'gwr_ended', expiresAt: Date.now() + 3_600_000 }, env)
  assert.ok((await call()).endsWith(again))
  for (const more of [{ GATEWAY_API_KEY: 'gw_live_other' }, { GATEWAY_LOCAL_TOKEN: 'a-local-token-of-some-length-0123456789' }])
    assert.match(await call(more), /\(UNAUTHORIZED\)\n$/)
  await saveToken(url, undefined, env)
  assert.match(await call(), /An API key is sent as `x-api-key`.* \(UNAUTHORIZED\)\n$/)
})
