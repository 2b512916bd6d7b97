import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { gateway, runProgram, startService, temporaryFolder } from './cli-fixture.ts'

test('start says where it serves and how each plugin started; status and call reach it; SIGTERM ends it with 0', async (t) => {
  const dataDir = await temporaryFolder(t)
  const service = await startService(t, { GATEWAY_DATA_DIR: dataDir })
  assert.match(
    service.said[0] ?? '',
    new RegExp(`^gateway \\d+\\.\\d+\\.\\d+ serves http://127\\.0\\.0\\.1:\\d+ \\(process ${service.pid}, data in ${dataDir}\\)`),
  )
  assert.match(service.said[1] ?? '', /^no credential is needed for requests made directly from this machine/)
  assert.match(service.said[2] ?? '', /^└─ notes +started +2 +\d+ ms$/)

  const env = { GATEWAY_URL: service.url }
  const status = await gateway(['status'], env)
  assert.equal(status.code, 0)
  assert.match(status.stdout, /^gateway \d+\.\d+\.\d+ at http:\/\/127\.0\.0\.1:\d+, up /)
  assert.match(status.stdout, /^database +connected$/m)
  assert.match(status.stdout, /^notes +started +2 +\d+ ms$/m)
  assert.equal((await gateway(['status', '--json', '--url', `${service.url}/`])).json().database, 'connected')

  assert.equal((await gateway(['dashboard'], env)).stdout, `${service.url}/\n`)

  assert.deepEqual((await gateway(['call', 'put_note', '{"id":"n1","text":"hello"}'], env)).json(), { id: 'n1' })
  assert.deepEqual((await gateway(['call', 'count_notes'], env)).json(), { count: 1 })

  const { code, log } = await service.signal('SIGTERM')
  assert.equal(code, 0, log)
  assert.match(log, /"msg":"stopped"/)
})

test('a second start on the same data is refused and names the first; after SIGKILL the next start finds everything', async (t) => {
  const env = { GATEWAY_DATA_DIR: await temporaryFolder(t) }
  const first = await startService(t, env)
  await gateway(['call', 'put_note', '{"id":"n1","text":"kept"}'], { GATEWAY_URL: first.url })
  const second = await runProgram(['start'], env)
  assert.equal(second.code, 1)
  assert.match(second.stderr, new RegExp(`^gateway: The data folder .* in use by another gateway \\(process ${first.pid} .*\\n$`))
  assert.equal((await first.signal('SIGKILL')).signal, 'SIGKILL')

  const third = await startService(t, env)
  assert.deepEqual((await gateway(['call', 'count_notes'], { GATEWAY_URL: third.url })).json(), { count: 1 })
  assert.equal((await gateway(['audit', 'verify'], env)).code, 0)
})

test('a boot that fails ends with 1 and one sentence per fault', async (t) => {
  const folder = await temporaryFolder(t)
  await writeFile(join(folder, 'gateway.config.json'), '{"plugins":{"notes":{"most":0},"mail":{}},"extra":1}')
  const settings = await runProgram(['start'], { GATEWAY_DATA_DIR: 'relative', GATEWAY_ROOT: folder, GATEWAY_LOG_LEVEL: 'loud' })
  assert.equal(settings.code, 1)
  const sentences = settings.stderr.trimEnd().split('\n')
  assert.equal(sentences.length, 3, settings.stderr)
  assert.ok(
    sentences.every((sentence) => sentence.startsWith('gateway: ')),
    settings.stderr,
  )
  for (const name of ['GATEWAY_DATA_DIR', 'GATEWAY_LOG_LEVEL', 'extra']) assert.match(settings.stderr, new RegExp(name))

  await writeFile(join(folder, 'gateway.config.json'), '{"plugins":{"notes":{"most":0}}}')
  const plugin = await runProgram(['start'], { GATEWAY_DATA_DIR: folder, GATEWAY_ROOT: folder })
  assert.deepEqual([plugin.code, /^gateway: plugin 'notes' failed in config: .*most.*\n$/.test(plugin.stderr)], [1, true], plugin.stderr)
})

test('a port that is taken is said, and nothing stays open', async (t) => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const { code, stderr } = await runProgram(['start'], { GATEWAY_DATA_DIR: await temporaryFolder(t), GATEWAY_PORT: String(port) })
  assert.deepEqual([code, stderr], [1, `gateway: 127.0.0.1:${port} is taken by another process; set GATEWAY_PORT to a free port\n`])
})

test('a stop that hangs is cut off by a further signal once the first is a second old', async (t) => {
  const service = await startService(t, { GATEWAY_DATA_DIR: await temporaryFolder(t), STOP_HANGS: '1', GATEWAY_STOP_TIMEOUT_MS: '60000' })
  const ended = service.signal('SIGINT', 'SIGTERM')
  const impatient = setInterval(() => process.kill(service.pid, 'SIGTERM'), 100)
  t.after(() => clearInterval(impatient))
  const { code } = await ended
  clearInterval(impatient)
  assert.equal(code, 128 + 15)
})

test('a call that hangs delays the stop by one time limit; whoever comes meanwhile is told to try again', async (t) => {
  const limit = 4_000
  const service = await startService(t, {
    GATEWAY_DATA_DIR: await temporaryFolder(t),
    CALLS_HANG: '1',
    GATEWAY_STOP_TIMEOUT_MS: String(limit),
  })
  const call = (tool: string) =>
    fetch(`${service.url}/api/tools/${tool}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' })
  const hanging = call('hang').then(
    () => 'answered',
    () => 'hung up on',
  )
  while (!(await inFlight(service.url))) await new Promise(setImmediate)
  const ended = service.signal('SIGTERM')
  let refused: Response
  do refused = await call('count_notes')
  while (refused.status === 200)
  assert.deepEqual([refused.status, ((await refused.json()) as { code: string }).code], [503, 'UNAVAILABLE'])
  assert.ok(Number(refused.headers.get('retry-after')) >= 1)
  const { code, log } = await ended
  assert.deepEqual([code, await hanging], [0, 'hung up on'], log)
  const at = (message: string): number => Number(new RegExp(`"time":(\\d+)[^\\n]*"msg":"${message}"`).exec(log)?.[1])
  assert.ok(at('stopped') - at('stopping') < 2 * limit, log)
})

async function inFlight(url: string): Promise<boolean> {
  const text = await (await fetch(`${url}/health/deep`)).text()
  return /"inFlight":1/.test(text)
}

test('each plugin whose stop hangs is given its time limit, then the stop goes on', async (t) => {
  const service = await startService(t, { GATEWAY_DATA_DIR: await temporaryFolder(t), STOP_HANGS: '3', GATEWAY_STOP_TIMEOUT_MS: '1000' })
  const { code, log } = await service.signal('SIGTERM')
  assert.equal(code, 0, log)
  for (const id of ['notes', 'hangs-2', 'hangs-3']) assert.match(log, new RegExp(`plugin '${id}' failed in stop`))
})

test('a variable that nobody reads is named in the log of the start', async (t) => {
  const service = await startService(t, { GATEWAY_DATA_DIR: await temporaryFolder(t), GATEWAY_STOP_TIMEOUT: '1' })
  const { log } = await service.signal('SIGTERM')
  assert.match(log, /"level":40,.*GATEWAY_STOP_TIMEOUT is no setting, and nothing reads it\. Did you mean GATEWAY_STOP_TIMEOUT_MS\?/)
})

test('start --json prints one line with the URL, the process and the plugins', async (t) => {
  const service = await startService(t, { GATEWAY_DATA_DIR: await temporaryFolder(t) }, ['--json'])
  const line = JSON.parse(service.said[0] ?? '') as { url: string; pid: number; plugins: { id: string; outcome: string }[] }
  assert.deepEqual([line.url, line.pid], [service.url, service.pid])
  assert.deepEqual(
    line.plugins.map(({ id, outcome }) => [id, outcome]),
    [['notes', 'started']],
  )
})
