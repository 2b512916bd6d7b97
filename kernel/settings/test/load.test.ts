import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { loadSettings, SettingsError } from '@gateway/settings'

const cwd = mkdtempSync(join(tmpdir(), 'gateway-settings-'))
after(() => rmSync(cwd, { recursive: true }))

const load = (env: Record<string, string> = {}) => loadSettings({ env: { HOME: '/home/someone', ...env }, cwd })
function faults(env: Record<string, string>): readonly string[] {
  try {
    load(env)
    return []
  } catch (error) {
    assert.ok(error instanceof SettingsError)
    return error.faults
  }
}
function configFile(content: string): string {
  const path = join(cwd, `${Math.random()}.json`)
  writeFileSync(path, content)
  return path
}

describe('settings', () => {
  it('has the documented defaults', () => {
    const settings = load()
    assert.equal(settings.host, '127.0.0.1')
    assert.equal(settings.port, 7411)
    assert.equal(settings.loopbackTrust, true)
    assert.equal(settings.rbacEnforce, false)
    assert.equal(settings.root, cwd)
    assert.equal(settings.dataDir, '/home/someone/.local/share/gateway')
    assert.deepEqual(settings.plugins, {})
  })

  it('keeps data under XDG_DATA_HOME when that is set', () => {
    assert.equal(load({ XDG_DATA_HOME: '/xdg' }).dataDir, '/xdg/gateway')
  })

  it('reads each kind of value from the environment', () => {
    const settings = load({
      GATEWAY_PORT: '8080',
      GATEWAY_LOOPBACK_TRUST: '0',
      RBAC_ENFORCE: 'on',
      GATEWAY_ALLOWED_HOSTS: 'a.example, b.example',
    })
    assert.equal(settings.port, 8080)
    assert.equal(settings.loopbackTrust, false)
    assert.equal(settings.rbacEnforce, true)
    assert.deepEqual(settings.allowedHosts, ['a.example', 'b.example'])
  })

  for (const [text, value] of Object.entries({ 1: true, true: true, on: true, Yes: true, 0: false, false: false, OFF: false, no: false })) {
    it(`reads ${text} as ${value}`, () => assert.equal(load({ RBAC_ENFORCE: text }).rbacEnforce, value))
  }

  it('takes a blank variable for one that is not set, and reads a number between blanks', () => {
    const { port, rbacEnforce, dataDir } = load()
    const blank = load({ GATEWAY_PORT: ' ', RBAC_ENFORCE: '\t', GATEWAY_DATA_DIR: ' \n' })
    assert.deepEqual([blank.port, blank.rbacEnforce, blank.dataDir], [port, rbacEnforce, dataDir])
    assert.deepEqual([load({ GATEWAY_PORT: ' 8080\n' }).port, load({ RBAC_ENFORCE: 'on ' }).rbacEnforce], [8080, true])
  })

  it('takes only decimal numbers', () => {
    for (const text of ['0x1F90', '0b11', '0o17', '80 80', '.', 'e3', 'Infinity'])
      assert.deepEqual(faults({ GATEWAY_PORT: text }), [`GATEWAY_PORT must be a whole number; got "${text}".`])
  })

  it('says that Kubernetes has set a port to the address of a service, and how to end that', () => {
    assert.deepEqual(faults({ GATEWAY_PORT: 'tcp://10.96.0.7:80' }), [
      'GATEWAY_PORT must be a whole number; got "tcp://10.96.0.7:80". Kubernetes sets it for the service gateway: set enableServiceLinks: false in the pod, or give the service another name.',
    ])
    assert.match(faults({ GATEWAY_METRICS_PORT: 'tcp://10.96.0.8:80' }).join(), /for the service gateway-metrics:/)
    assert.deepEqual(faults({ GATEWAY_PORT: 'http' }), ['GATEWAY_PORT must be a whole number; got "http".'])
  })

  it('takes no other word for a switch', () => {
    for (const text of ['constructor', 'y', '2']) assert.match(faults({ RBAC_ENFORCE: text })[0] ?? '', /^RBAC_ENFORCE must be 1, 0/)
  })

  it('collects every fault, each naming the variable, what was expected and what came', () => {
    const found = faults({ GATEWAY_PORT: 'many', RBAC_ENFORCE: 'perhaps', GATEWAY_DATA_DIR: 'relative' })
    assert.equal(found.length, 3)
    assert.match(found.join('\n'), /GATEWAY_PORT must be a whole number; got "many"/)
    assert.match(found.join('\n'), /RBAC_ENFORCE must be 1, 0, true, false, on, off, yes or no; got "perhaps"/)
    assert.match(found.join('\n'), /GATEWAY_DATA_DIR must be an absolute path/)
  })

  it('refuses a short or malformed secret, naming the setting and never saying what came', () => {
    for (const [name, value] of [
      ['GATEWAY_JWT_SECRET', 'short-but-31-characters-long-00'],
      ['GATEWAY_LOCAL_TOKEN', 'fifteen-letters'],
      ['ADMIN_API_TOKEN', 'a1b2'],
      ['GATEWAY_HASH_KEY', '7a71651a346b'.repeat(5)],
    ] as const) {
      const found = faults({ [name]: value })
      assert.equal(found.length, 1, name)
      assert.match(found[0] ?? '', new RegExp(`^${name}: .* got ${value.length} characters, which are not shown`))
      assert.ok(!found[0]?.includes(value.slice(0, 4)), name)
    }
    for (const enough of [
      { GATEWAY_JWT_SECRET: 'x'.repeat(32) },
      { GATEWAY_LOCAL_TOKEN: 'x'.repeat(16) },
      { ADMIN_API_TOKEN: 'x'.repeat(16) },
    ])
      assert.deepEqual(faults(enough), [])
  })

  it('trusts this machine by its address until another host is named, unless it is said', () => {
    const trusts = (env: Record<string, string>) => load(env).loopbackTrust
    assert.equal(trusts({ GATEWAY_ALLOWED_HOSTS: 'localhost,127.0.0.1,[::1]' }), true)
    assert.equal(trusts({ GATEWAY_ALLOWED_HOSTS: 'localhost,gateway.example' }), false)
    assert.equal(trusts({ GATEWAY_ALLOWED_HOSTS: 'gateway.example', GATEWAY_LOOPBACK_TRUST: '1' }), true)
    assert.equal(trusts({ GATEWAY_LOOPBACK_TRUST: '0' }), false)
  })

  it('refuses a host, an origin or a proxy that nothing could match', () => {
    for (const host of ['*', '.example', '*.example', '192.0.2.2:7549', 'http://192.0.2.2', 'a/b', '::1', '[::x]', 'a..b', 'a b'])
      assert.match(faults({ GATEWAY_ALLOWED_HOSTS: `good.example,${host}` }).join(), /^GATEWAY_ALLOWED_HOSTS .*without scheme, port/, host)
    for (const origin of ['*', 'null', 'board.example', 'https://board.example/', 'ftp://board.example', 'https://*.example'])
      assert.match(faults({ GATEWAY_ALLOWED_ORIGINS: origin }).join(), /^GATEWAY_ALLOWED_ORIGINS .*got/, origin)
    for (const proxy of ['proxy.example', '10.0.0.0/33', '10.0.0.0/x', '10.0.0', '::1/129', '*', '10.0.0.1:80'])
      assert.match(faults({ GATEWAY_TRUSTED_PROXIES: proxy }).join(), /^GATEWAY_TRUSTED_PROXIES .*got/, proxy)
    const settings = load({ GATEWAY_ALLOWED_HOSTS: 'Gateway.Example,[2001:DB8::1],192.0.2.2', GATEWAY_TRUSTED_PROXIES: '::1,10.0.0.0/8' })
    assert.deepEqual(settings.allowedHosts, ['gateway.example', '[2001:db8::1]', '192.0.2.2'])
  })

  it('refuses a port out of range, naming the variable', () => {
    assert.match(faults({ GATEWAY_PORT: '70000' })[0] ?? '', /^GATEWAY_PORT: .*must be at most 65535; got 70000/)
  })

  it('reads plugins from the config file and fills in variables', () => {
    const GATEWAY_CONFIG = configFile('{"plugins":{"tasks":{"token":"${SECRET}"},"mailbox":false}}')
    assert.deepEqual(load({ GATEWAY_CONFIG, SECRET: 'x' }).plugins, { tasks: { token: 'x' }, mailbox: false })
    assert.match(faults({ GATEWAY_CONFIG })[0] ?? '', /\$\{SECRET\} names an environment variable that is not set/)
  })

  it('refuses a config file that is missing, no JSON, or has an unknown key', () => {
    assert.match(faults({ GATEWAY_CONFIG: '/nowhere.json' })[0] ?? '', /does not exist/)
    assert.match(faults({ GATEWAY_CONFIG: configFile('{') })[0] ?? '', /cannot be read as JSON/)
    assert.match(faults({ GATEWAY_CONFIG: configFile('{"plugin":{}}') })[0] ?? '', /`plugin` is not known/)
    assert.match(faults({ GATEWAY_CONFIG: configFile('{"plugins":{"tasks":3}}') })[0] ?? '', /plugins\.tasks/)
  })
})
