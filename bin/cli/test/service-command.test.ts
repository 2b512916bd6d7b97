import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { needing, program } from '../../../test/support/programs.ts'
import { unitText } from '../src/service/unit.ts'
import { type Env, gateway, temporaryFolder } from './cli-fixture.ts'

interface Place {
  readonly env: Env
  readonly unit: string
  told(): Promise<readonly string[]>
}

/** Home whose systemctl is a program that records its calls and answers about the unit with the test's text. */
async function place(t: TestContext, says = ''): Promise<Place> {
  const home = await temporaryFolder(t)
  const log = join(home, 'told')
  const bin = join(home, 'bin')
  await mkdir(bin)
  await writeFile(log, '')
  await writeFile(
    join(bin, 'systemctl'),
    `#!/bin/sh\necho "$*" >> '${log}'\ncase "$*" in *"show gateway.service"*) printf '${says}';; esac\n`,
  )
  await chmod(join(bin, 'systemctl'), 0o755)
  return {
    env: { HOME: home, PATH: `${bin}:/usr/bin:/bin` },
    unit: join(home, '.config', 'systemd', 'user', 'gateway.service'),
    told: async () =>
      (await readFile(log, 'utf8'))
        .trim()
        .split('\n')
        .map((line) => line.replace('--user --no-pager ', '')),
  }
}

const plan = {
  node: '/usr/bin/node',
  program: '/opt/gateway/bin/gateway.js',
  folder: '/home/me/work',
  settingsFile: '/home/me/.config/gateway/service.env',
}

test('the unit starts this installation, reads the settings file, is restarted when it fails and stops by SIGTERM', () => {
  const lines = unitText(plan).split('\n')
  for (const line of [
    'ExecStart="/usr/bin/node" "/opt/gateway/bin/gateway.js" "start"',
    'WorkingDirectory=/home/me/work',
    'EnvironmentFile=-/home/me/.config/gateway/service.env',
    'Restart=on-failure',
    'StartLimitBurst=5',
    'KillMode=mixed',
    'UMask=0077',
    'WantedBy=default.target',
  ]) {
    assert.ok(lines.includes(line), line)
  }
  assert.match(unitText({ ...plan, program: '/a b/100%/$x"y' }), /^ExecStart="\/usr\/bin\/node" "\/a b\/100%%\/\$\$x\\"y" "start"$/m)
})

test('the unit of a runner starts it in the folder of its runner.json', () => {
  const lines = unitText({ ...plan, isRunner: true }).split('\n')
  for (const line of [
    'ExecStart="/usr/bin/node" "/opt/gateway/bin/gateway.js" "runner" "start"',
    'Description=Runner of the gateway for AI agents',
    'WorkingDirectory=/home/me/work',
  ]) {
    assert.ok(lines.includes(line), line)
  }
})

const verified = needing('systemd-analyze', 'systemd finds nothing wrong with the unit')
test(verified.name, { skip: verified.skip }, async (t) => {
  const folder = await temporaryFolder(t)
  const file = join(folder, 'gateway.service')
  const main = join(folder, 'gateway 100%.js')
  await writeFile(main, '')
  await writeFile(file, unitText({ node: process.execPath, program: main, folder, settingsFile: join(folder, 'none.env') }))
  const env = { ...process.env, XDG_RUNTIME_DIR: folder, HOME: folder }
  const { stdout, stderr } = await promisify(execFile)(program('systemd-analyze') as string, ['--user', 'verify', file], { env })
  assert.equal(stdout + stderr, '')
})

test('install writes the unit, enables and starts it; again it changes nothing and restarts nothing; uninstall takes it away', async (t) => {
  const { env, unit, told } = await place(t)
  const first = await gateway(['service', 'install', '--json'], { ...env, GATEWAY_PORT: '7500' }, env.HOME)
  assert.equal(first.code, 0, first.stderr)
  assert.deepEqual(first.json(), {
    unit,
    settings: join(env.HOME ?? '', '.config', 'gateway', 'service.env'),
    changed: true,
    unseen: ['GATEWAY_PORT'],
  })
  const text = await readFile(unit, 'utf8')
  assert.match(text, new RegExp(`^WorkingDirectory=${env.HOME}$`, 'm'))

  const second = await gateway(['service', 'install', '--json'], env, env.HOME)
  assert.deepEqual([second.json().changed, second.json().unseen], [false, []])
  assert.equal(await readFile(unit, 'utf8'), text)
  const elsewhere = await gateway(['service', 'install'], env, '/')
  assert.match(elsewhere.stdout, /is written; the service runs/)

  const gone = await gateway(['service', 'uninstall'], env)
  assert.match(gone.stdout, /is removed; settings and data stay\.\n$/)
  await assert.rejects(stat(unit), /ENOENT/)
  assert.match((await gateway(['service', 'uninstall'], env)).stdout, /^The service is not installed/)

  const start = ['show --property=Version', 'daemon-reload', 'enable gateway.service']
  assert.deepEqual(await told(), [
    ...start,
    'restart gateway.service',
    ...start,
    'start gateway.service',
    ...start,
    'restart gateway.service',
    'disable --now gateway.service',
    'daemon-reload',
  ])
})

test('status says whether it is installed and runs, and its exit code does', async (t) => {
  const { env } = await place(t, 'MainPID=42\\nNRestarts=1\\nActiveState=active\\nSubState=running\\nUnitFileState=enabled\\n')
  const none = await gateway(['service', 'status'], env)
  assert.equal(none.code, 3)
  assert.match(none.stdout, /^The service is not installed: there is no .*gateway\.service\.\n$/)
  await gateway(['service', 'install'], env)
  const { code, stdout } = await gateway(['service', 'status'], env)
  assert.deepEqual([code, stdout.split('\n')[0]], [0, 'active (running), process 42, starts at login'])

  const stopped = await place(t, 'MainPID=0\\nActiveState=failed\\nSubState=failed\\nUnitFileState=enabled\\n')
  await gateway(['service', 'install'], stopped.env)
  const failed = await gateway(['service', 'status', '--json'], stopped.env)
  assert.deepEqual([failed.code, failed.json().state, failed.json().pid], [3, 'failed', 0])
})

test('without systemctl nothing is written, and the way out is said', async (t) => {
  const home = await temporaryFolder(t)
  const { code, stderr } = await gateway(['service', 'install'], { HOME: home, PATH: home })
  assert.equal(code, 1)
  assert.match(stderr, /^gateway: This machine has no systemctl\. Let your own supervisor run `gateway start`/)
  await assert.rejects(stat(join(home, '.config')), /ENOENT/)
  const { stdout } = await gateway(['service', 'install', '--print'], { HOME: home, PATH: home })
  assert.match(stdout, /^# Written by `gateway service install`/)
})

test('what systemctl complains of is said, with what to do where the user has no manager', async (t) => {
  const { env, unit } = await place(t)
  const script = join(env.HOME ?? '', 'bin', 'systemctl')
  await writeFile(script, '#!/bin/sh\necho "Failed to connect to bus: No medium found" >&2\nexit 1\n')
  const { code, stderr } = await gateway(['service', 'install'], env)
  assert.equal(code, 1)
  assert.match(
    stderr,
    /failed: Failed to connect to bus: No medium found Log in as the user itself \(not by `su`\), or run `loginctl enable-linger` first\.\n$/,
  )
  await assert.rejects(stat(unit), /ENOENT/)
})

test('a unit that somebody else wrote is left alone', async (t) => {
  const { env, unit } = await place(t)
  await mkdir(join(unit, '..'), { recursive: true })
  await writeFile(unit, '[Service]\n')
  for (const action of ['install', 'uninstall', 'status']) {
    const { code, stderr } = await gateway(['service', action], env)
    assert.equal(code, 1)
    assert.match(stderr, /gateway\.service was not written by this command; move it away first\.\n$/)
  }
  assert.equal(await readFile(unit, 'utf8'), '[Service]\n')
})

test('gateway service without what to do is wrong usage', async () => {
  for (const argv of [['service'], ['service', 'status', 'now']]) {
    const { code, stderr } = await gateway(argv)
    assert.deepEqual([code, stderr], [64, 'gateway: Expected `gateway service install`, `status` or `uninstall`.\n'])
  }
  const { code, stderr } = await gateway(['service', 'start'])
  assert.deepEqual([code, stderr], [64, 'gateway: `gateway service` takes one of: install, status, uninstall; got "start".\n'])
})
