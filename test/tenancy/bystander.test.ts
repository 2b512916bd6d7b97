import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Operation, Principal } from '@gateway/sdk'
import { standardPlugins } from '@gateway/standard'
import { KERNEL_TENANT } from '@gateway/storage'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import { sampleValue } from '../support/sample-arguments.ts'

const env = {
  PLUGIN_TOOLS_ENABLED: '1',
  INLINE_EXEC_ENABLED: '1',
  GATEWAY_PUBLIC_URL: 'https://gateway.example.com',
  GATEWAY_EMBEDDINGS: 'off',
}
const model = { wire: 'openai', baseUrl: 'http://127.0.0.1:9/v1', models: { standard: 'model' } }
const config = {
  providers: { providers: { api: model, local: model } },
  // The reader's own calls take a seat and are counted once they are stored, at a time that depends on the machine.
  usage: { metering: false },
}

const as = (tenantId: string): Partial<Principal> => ({ tenantId, id: `user-of-${tenantId}`, kind: 'user', role: 'owner' })

/** Tools and routes that a tenant may call, except those that answer over the raw connection. */
const operations: readonly Operation[] = standardPlugins.flatMap(({ tools, routes }) => [
  ...tools.filter(({ capability }) => capability !== 'operator'),
  ...routes.filter((route) => route.capability !== 'operator' && route.credential !== 'admin' && !('raw' in route)),
])
const reads = operations.filter(({ effect }) => effect === 'read')
/** Tools that act outside the gateway are left out: the end of the test does not undo their changes. */
const changes = operations.filter((operation) => operation.effect !== 'read' && !('openWorld' in operation && operation.openWorld))

interface Input {
  readonly properties?: Readonly<Record<string, { readonly enum?: readonly unknown[] }>>
}

/** The fewest arguments, the most, and each value of each enumeration: it often names the object of an operation. */
function attempts({ input }: Operation): object[] {
  const least = sampleValue(input as never, false) as object
  const values = Object.entries((input as Input).properties ?? {}).flatMap(([name, schema]) =>
    (schema.enum ?? []).map((value) => ({ ...least, [name]: value })),
  )
  return [least, sampleValue(input as never, true) as object, ...values]
}

/** A view costs a call of every reading tool. */
const AT_ONCE = 8

const call = (gateway: TestGateway, { name }: Operation, args: object, tenantId: string): Promise<unknown> =>
  gateway.call(name, args, { as: as(tenantId) }).catch((error: Error) => error.message)

/** Returns every answer that a tenant can read, and every document that is valid for all tenants. */
async function view(gateway: TestGateway): Promise<ReadonlyMap<string, string>> {
  const seen = new Map<string, string>()
  for (const operation of reads) {
    const answer = await call(gateway, operation, sampleValue(operation.input as never, false) as object, 'bystander')
    seen.set(operation.name, JSON.stringify(answer))
  }
  for (const [id, documents] of Object.entries(await gateway.documents(KERNEL_TENANT))) seen.set(id, JSON.stringify(documents))
  return seen
}

function differences(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  return [...after].filter(([name, answer]) => before.get(name) !== answer).map(([name]) => name)
}

/** Changes of the whole gateway that any tenant may cause, and the reason. */
const ALLOWED: Readonly<Record<string, string>> = {
  health_alerts_run: 'the check finds the same whoever asks for it, and runs every minute anyway',
}

/** Calls some operations as one tenant, and returns the answers to another that are different afterwards. */
async function changed(groups: readonly (readonly Operation[])[]): Promise<Map<readonly Operation[], string[]>> {
  await using gateway = await startTestGateway({ plugins: standardPlugins, env, config })
  let before = await view(gateway)
  const byReading = new Set(differences(before, (before = await view(gateway))))
  const found = new Map<readonly Operation[], string[]>()
  for (const some of groups) {
    for (const operation of some) for (const args of attempts(operation)) await call(gateway, operation, args, 'actor')
    const after = await view(gateway)
    const names = differences(before, after).filter((name) => !byReading.has(name))
    if (names.length > 0) found.set(some, names)
    before = after
  }
  return found
}

test('no tool or route below the operator’s changes what another tenant sees, or what holds for all tenants', async () => {
  const tried = changes.filter(({ name }) => !(name in ALLOWED))
  const groups = Array.from({ length: Math.ceil(tried.length / AT_ONCE) }, (_, at) => tried.slice(at * AT_ONCE, (at + 1) * AT_ONCE))
  const once = await changed(groups)
  // Time passes during the walk and changes answers too; the effect of a call comes again in a new gateway.
  const twice = once.size > 0 ? await changed([...once.keys()]) : once
  const found = [...twice].flatMap(([some, names]) => {
    const again = names.filter((name) => once.get(some)?.includes(name))
    return again.map((name) => `one of ${some.map((one) => one.name).join(', ')} changes ${name}`)
  })
  assert.deepEqual(found, [])
  assert.ok(reads.length > 50 && tried.length > 50, 'the catalogue was walked')
})
