import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closed, defineConfig, definePlugin, Type } from '@gateway/sdk'
import { loadSettings } from '@gateway/settings'
import { checkPublicAddress } from '../src/doctor/public-address.ts'
import { temporaryFolder } from './cli-fixture.ts'

const reads = (id: string) => {
  const schema = Type.Object({ address: Type.Optional(Type.String({ env: 'GATEWAY_PUBLIC_URL' })) }, closed)
  return definePlugin({ id, sdk: '^1.0.0', description: 'Reads the address.', config: defineConfig(id, schema) })
}
const plugins = [reads('one'), reads('two'), definePlugin({ id: 'none', sdk: '^1.0.0', description: 'Reads nothing.' })]

const cases: readonly { address?: string; hosts?: string; found: readonly string[] }[] = [
  { found: [] },
  { address: 'http://127.0.0.1:7411', found: ['ok: http://127.0.0.1:7411'] },
  { address: 'https://gateway.example:8443', hosts: 'gateway.example', found: ['ok: https://gateway.example:8443'] },
  {
    address: 'https://Gateway.example',
    hosts: 'other.example',
    found: [
      'warn: https://Gateway.example is the public address, and GATEWAY_ALLOWED_HOSTS does not name its host: requests that name it are refused with 403 -> Add gateway.example to GATEWAY_ALLOWED_HOSTS, unless the proxy in front sends another Host.',
    ],
  },
  {
    address: 'http://gateway.example',
    hosts: 'gateway.example',
    found: [
      'warn: http://gateway.example is the public address, and without https nobody signs in through it -> Set GATEWAY_PUBLIC_URL to an https address.',
    ],
  },
]
for (const { address, hosts, found } of cases) {
  test(`the public address ${address ?? '(none)'} beside the allowed hosts ${hosts ?? '(none)'} is judged once`, async (t) => {
    const dataDir = await temporaryFolder(t)
    const settings = loadSettings({ env: { GATEWAY_DATA_DIR: dataDir, GATEWAY_ALLOWED_HOSTS: hosts }, cwd: dataDir })
    const configs = new Map(['one', 'two'].map((id) => [id, { address }]))
    const told = checkPublicAddress(settings, { plugins, configs }).map(({ outcome, detail, fix }) =>
      [`${outcome}: ${detail}`, fix].filter((part) => part !== undefined).join(' -> '),
    )
    assert.deepEqual(told, found)
  })
}
