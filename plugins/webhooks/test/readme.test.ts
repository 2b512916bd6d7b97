import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { receiver, ring, run, SECRET, start, subscribe } from './support.ts'

/** The code that the README gives to receivers. */
async function pasted(): Promise<(secret: string, headers: object, body: Buffer) => boolean> {
  const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')
  const code = /```js\n(.*?)```/s.exec(readme)?.[1] ?? ''
  const { isFromGateway } = await import(`data:text/javascript,${encodeURIComponent(`${code}\nexport { isFromGateway }`)}`)
  return isFromGateway
}

test('the check in the README takes a delivery of now, and no other', async () => {
  await using gateway = await start()
  await using hook = await receiver()
  gateway.clock.set(new Date())
  await subscribe(gateway, hook.url)
  await ring(gateway, ['dïng'])
  await run(gateway)
  const isFromGateway = await pasted()
  const { headers, body } = hook.received[0] as (typeof hook.received)[0]
  assert.equal(isFromGateway(SECRET, headers, Buffer.from(body)), true)
  assert.equal(isFromGateway('another secret', headers, Buffer.from(body)), false)
  assert.equal(isFromGateway(SECRET, headers, Buffer.from(body.replace('d', 'b'))), false)
  assert.equal(isFromGateway(SECRET, { ...headers, 'x-gateway-timestamp': '1767603600' }, Buffer.from(body)), false)
  assert.equal(isFromGateway(SECRET, {}, Buffer.from(body)), false)
})
