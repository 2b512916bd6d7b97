import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { runCommand } from '@gateway/cli'
import { standardPlugins } from '@gateway/standard'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import runner from '../src/index.ts'
import { type Bench, benches } from './support.ts'

const bench = benches()
let shared: Promise<TestGateway> | undefined
after(async () => (await shared)?.stop())
/** A gateway with keys, whose tenant is Acme. */
async function start(): Promise<TestGateway> {
  shared ??= startTestGateway({ plugins: standardPlugins, env: { RBAC_ENFORCE: 'true' }, listen: true }).then(async (gateway) => {
    await gateway.tenants.create({ tenantId: 'acme', name: 'Acme', plan: 'team' })
    return gateway
  })
  return shared
}
const issue = (gateway: TestGateway, role: 'viewer' | 'member') => gateway.tenants.issueKey('acme', { role, environment: 'live' })

const command = ({ config, env }: Bench, action: string, more: Record<string, string>, ...argv: string[]) =>
  runCommand({ plugins: async () => [runner], argv: ['runner', action, '--config', config, ...argv], env: { ...env, ...more } })

test('a key that may not work on tasks is refused at the start, with its role, its tenant and what to do', async (t) => {
  const [b, gateway] = [await bench(t), await start()]
  const { apiKey } = await issue(gateway, 'viewer')
  const env = { GATEWAY_URL: gateway.url, GATEWAY_API_KEY: apiKey }
  for (const action of ['start', 'once']) {
    const { code, stderr } = await command(b, action, env)
    assert.equal(code, 2)
    assert.match(
      stderr,
      /The key \S+ has the role viewer in the tenant Acme \(acme\), which may not work on tasks\. Put a key of role member into/,
    )
  }
  const asJson = await command(b, 'once', env, '--json')
  assert.deepEqual([asJson.code, /role member/.test(asJson.stdout + asJson.stderr)], [2, true])
  assert.equal((await command(b, 'status', env)).code, 0, 'a viewer may look')
  assert.equal((await command(b, 'drain', env)).code, 0, 'to drain the own machine needs no gateway')
})

test('a key that is unknown or was revoked is refused at the start and by the status, with what to do', async (t) => {
  const [b, gateway] = [await bench(t), await start()]
  const { apiKey, keyId } = await issue(gateway, 'member')
  await gateway.tenants.revokeKey('acme', keyId)
  for (const secret of [apiKey, 'gw_live_wrong'])
    for (const action of ['start', 'once', 'status']) {
      const { code, stderr } = await command(b, action, { GATEWAY_URL: gateway.url, GATEWAY_API_KEY: secret })
      assert.equal(code, 2, action)
      assert.match(
        stderr,
        /http:\/\/\S+ refuses the key: .*Put a key of role member into GATEWAY_API_KEY, or store one with `gateway login`/,
        action,
      )
    }
})

test('the first line of a runner names the tenant whose tasks it takes, so that the key of another tenant is seen', async (t) => {
  const [b, gateway] = [await bench(t), await start()]
  const { apiKey } = await issue(gateway, 'member')
  const { code, stdout } = await command(b, 'once', { GATEWAY_URL: gateway.url, GATEWAY_API_KEY: apiKey })
  assert.equal(code, 0)
  assert.match(stdout, /^Takes tasks of the tenant Acme \(acme\) at http:\/\/\S+, as \S+ \(member\)\.\nThere is no task to work on\.\n$/)
})

test('a runner whose key is revoked while it works ends its runs, says so, and ends with a refusal', async (t) => {
  const [b, gateway] = [await bench(t), await start()]
  const { apiKey, keyId } = await issue(gateway, 'member')
  const as = { as: { kind: 'api-key', id: `key:${keyId}`, role: 'member', tenantId: 'acme' } } as const
  const description = `touch ${b.folder}/begun; sleep 60; sleep 60`
  const { task } = await gateway.call('tasks_create', { repo: b.name, title: 'Long', description }, as)
  const running = command(b, 'start', { GATEWAY_URL: gateway.url, GATEWAY_API_KEY: apiKey })
  while ((await gateway.call('logs_list', { correlationId: task.taskId }, as)).logs.length === 0) await new Promise(setImmediate)
  await gateway.tenants.revokeKey('acme', keyId)
  const { code, stdout, stderr } = await running
  assert.equal(code, 2, stdout + stderr)
  assert.match(stdout, new RegExp(`${task.taskId}: lost: `))
  assert.match(stderr, /refuses the key: .*Put a key of role member into/)
  assert.equal(b.git('worktree', 'list').split('\n').length, 1)
})

test('a runner that only merges ends with a refusal when its key is revoked', async (t) => {
  const [b, gateway] = [await bench(t, { machine: 'merger', lanes: { merge: { everySeconds: 1 } } }), await start()]
  const { apiKey, keyId } = await issue(gateway, 'member')
  const as = { as: { kind: 'api-key', id: `key:${keyId}`, role: 'member', tenantId: 'acme' } } as const
  const running = command(b, 'start', { GATEWAY_URL: gateway.url, GATEWAY_API_KEY: apiKey })
  const alive = async (): Promise<string> => JSON.stringify(await gateway.call('runner_liveness', {}, as))
  while (!(await alive()).includes('merger')) await new Promise(setImmediate)
  await gateway.tenants.revokeKey('acme', keyId)
  const { code, stdout, stderr } = await running
  assert.equal(code, 2, stdout + stderr)
  assert.match(stderr, /refuses the key: .*Put a key of role member into/)
})

test('an address at which something else answers is refused at the start, and one at which nothing answers is named', async (t) => {
  const b = await bench(t)
  const server = createServer((_, response) => response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not here</h1>')).listen(0)
  t.after(() => server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  for (const action of ['start', 'once', 'status']) {
    const { code, stderr } = await command(b, action, { GATEWAY_URL: url })
    assert.equal(code, 64, action)
    assert.match(stderr, /does not answer like a gateway \(status 404, .*Name the gateway with --url or GATEWAY_URL\./, action)
  }
  for (const action of ['once', 'status']) {
    const { code, stderr } = await command(b, action, { GATEWAY_URL: 'http://127.0.0.1:1' })
    assert.deepEqual(
      [code, /No gateway answers at http:\/\/127\.0\.0\.1:1 .*name another with --url or GATEWAY_URL/.test(stderr)],
      [3, true],
    )
  }
})
