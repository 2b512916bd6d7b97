import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { runCommand } from '@gateway/cli'
import repos from '../src/index.ts'
import { start } from './support.ts'

const LOCAL = 'a-local-token-of-some-length-0123456789'

const newApp = (url: string, argv: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runCommand({ plugins: async () => [repos], argv: ['new-app', ...argv], env: { HOME: '/nonexistent', GATEWAY_URL: url, ...env } })

/** Starts a pipeline that makes the same repo for every request. */
async function pipeline(t: TestContext): Promise<Record<string, string>> {
  const server = createServer((_request, response) => response.end(JSON.stringify({ repo: { name: 'socks', path: '/srv/socks' } })))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { NEW_APP_PIPELINE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, NEW_APP_PIPELINE_TOKEN: 'pipe-token' }
}

test('new-app hands the idea on and registers the repo that was made of it', async (t) => {
  await using set = await start(await pipeline(t), { listen: true })
  const { url } = set.gateway
  const { code, stdout, stderr } = await newApp(url, ['a shop for socks', '--name', 'socks'])
  assert.deepEqual([code, stdout], [0, 'The repo socks is made and registered.\n'], stderr)
  const { repos: list } = await set.gateway.call('repos_list')
  assert.deepEqual(
    list.map(({ name, source }: { name: string; source: string }) => [name, source]),
    [['socks', 'headless-new-app']],
  )
})

test('where nobody is local it comes in with the local token', async (t) => {
  await using set = await start({ ...(await pipeline(t)), GATEWAY_LOOPBACK_TRUST: '0', GATEWAY_LOCAL_TOKEN: LOCAL }, { listen: true })
  const { url } = set.gateway
  assert.equal((await newApp(url, ['socks'])).code, 2)
  assert.equal((await newApp(url, ['socks'], { GATEWAY_LOCAL_TOKEN: LOCAL })).code, 0)
})

test('new-app says which setting keeps an idea from being handed on', async () => {
  await using set = await start({}, { listen: true })
  const { url } = set.gateway
  const { code, stderr } = await newApp(url, ['a shop for socks'])
  assert.deepEqual([code, /was not sent to the pipeline: .*NEW_APP_PIPELINE_URL/.test(stderr)], [2, true], stderr)
  assert.equal((await newApp(url, ['a', 'shop'])).code, 64)
})
