import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { ClientRequest } from 'node:http'
import { after, before, test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { commands, openPush, packOfZeros } from './packs.ts'
import { gitProcesses, onLinux, until } from './processes.ts'
import { acme, atomPath, clientGit, commitFile, folder, remote, start, type TestGateway } from './support.ts'

let gateway: TestGateway
let clone: string
let token: string

before(async () => {
  gateway = await start()
  ;({ token } = await gateway.call('brain_host_provision', {}, acme))
  clone = await folder()
  await clientGit(clone, 'clone', '-q', remote(gateway, token), '.')
})
after(async () => {
  await gateway.stop()
  await rm(clone, { recursive: true, force: true })
})

const OBJECTS = () => `${gateway.dataDir}/brains/acme.git/objects`
const quarantines = () => readdirSync(OBJECTS()).filter((name) => /^(tmp_objdir|incoming)/.test(name))
const used = async (): Promise<number> => (await gateway.call('brain_host_status', {}, acme)).quota.usedBytes
/** Builds the beginning of a pack of nine objects, with the given number of bytes of the first one. */
const begun = (bytes: number): Buffer =>
  Buffer.concat([
    Buffer.from('PACK\0\0\0\x02\0\0\0\x09'),
    Buffer.from([0xb0, 0x80, 0x80, 0x80, 0x01]),
    deflateSync(randomBytes(bytes)).subarray(0, bytes),
  ])

/**
 * Opens a push with these bytes, and waits until git works on it. The place of a push that broke off is free once its processes have ended,
 * so a push that is refused until then is opened again.
 */
async function openServed(bytes: Buffer, isServed: () => boolean): Promise<ClientRequest> {
  for (;;) {
    const { push } = openPush(gateway, token)
    let isRefused = false
    push.once('response', ({ statusCode }) => {
      isRefused = statusCode === 503
    })
    push.write(bytes)
    await until(() => isRefused || isServed())
    if (!isRefused) return push
    push.destroy()
  }
}

const eitherWay = [() => true, () => false] as const

const inBrain = (...args: string[]) => clientGit(`${gateway.dataDir}/brains/acme.git`, ...args)

test('clients that go away in the middle of a push leave nothing behind, and free their place', async () => {
  const tip = await inBrain('rev-parse', 'main')
  for (let n = 0; n < 6; n++) {
    const { push } = openPush(gateway, token)
    push.write(`${commands([`refs/heads/idea/x${n}`], tip)}PACK\0\0\0\x02\0\0\0\x09`)
    await once(push, 'response', { signal: AbortSignal.timeout(300) }).catch(() => {})
    push.destroy()
    await new Promise((resolve) => push.once('close', resolve))
  }
  for (const slug of ['large', 'larger']) {
    const text = randomBytes(1_400_000).toString('base64')
    await commitFile(clone, atomPath(slug, text, 'memory'), text)
  }
  const pushed = () => clientGit(clone, 'push', '-q', 'origin', 'HEAD:main')
  // Their places are free once their processes have ended.
  await until(() => pushed().then(...eitherWay))
  assert.equal(await inBrain('rev-parse', 'main'), await clientGit(clone, 'rev-parse', 'HEAD'))
  assert.deepEqual((await inBrain('for-each-ref', '--format=%(refname)')).split('\n'), ['refs/heads/main'])
  await inBrain('fsck', '--strict')
})

test('pushes and commits through the tools at once are all there afterwards', async () => {
  const commits = Array.from({ length: 10 }, (_, n) =>
    gateway.call('brain_commit', { kind: 'session', repo: 'web', slug: `beside-${n}`, content: `# Beside ${n}` }, acme),
  )
  const pushes = [1, 2, 3].map((n) => clientGit(clone, 'push', '-q', remote(gateway, token), `HEAD:idea/at-once-${n}`))
  await Promise.all([...commits, ...pushes])
  const names = await inBrain('ls-tree', '-r', '--name-only', 'main')
  for (let n = 0; n < 10; n++) assert.match(names, new RegExp(`-beside-${n}-`))
  assert.equal((await inBrain('for-each-ref', '--format=%(refname)', 'refs/heads/idea')).split('\n').length, 3)
})

test('pushes that break off take nothing of the quota, and what they brought is removed at once', async () => {
  await gateway.call('brain_commit', { kind: 'session', repo: 'web', slug: 'before', content: '# Before' }, acme)
  const before = await used()
  const tip = await inBrain('rev-parse', 'main')
  for (let round = 0; round < 2; round++) {
    const pushes: ClientRequest[] = []
    const bytes = Buffer.concat([Buffer.from(commands(['refs/heads/idea/cut'], tip)), begun(2_900_000)])
    while (pushes.length < 4) pushes.push(await openServed(bytes, () => quarantines().length > pushes.length))
    assert.equal(await used(), before, 'a push under way is not counted as used')
    for (const push of pushes) push.destroy()
    await until(() => quarantines().length === 0)
  }
  assert.equal(await used(), before)
})

test('a push whose client goes while git still works is ended with all its processes, and leaves nothing', onLinux, async () => {
  const working = () => gitProcesses(`${gateway.dataDir}/brains`).filter(({ command }) => /index-pack|receive-pack/.test(command))
  const push = await openServed(
    Buffer.concat([Buffer.from(commands(['refs/heads/idea/busy'], '1'.repeat(40))), packOfZeros(3_200, 0)]),
    () => working().some(({ command }) => command.includes('index-pack')) && quarantines().length === 1,
  )
  push.destroy()
  await until(() => working().length === 0 && quarantines().length === 0)
})

test('room is reserved for a push under way, and free again when it breaks off', async () => {
  const solo = { as: { ...acme.as, tenantId: 'solo' } }
  await using small = await start({ config: { 'brain-hosting': { publicUrl: 'https://brains.example.com', quotaMegabytes: { solo: 1 } } } })
  await small.tenants.create({ name: 'Solo', plan: 'solo', tenantId: 'solo' })
  const { token } = await small.call('brain_host_provision', {}, solo)
  const head = Buffer.from(commands(['refs/heads/idea/large'], '1'.repeat(40)))
  const first = openPush(small, token, { tenantId: 'solo' })
  first.push.write(Buffer.concat([head, begun(700_000)]))
  const objects = `${small.dataDir}/brains/solo.git/objects`
  const received = () => readdirSync(objects, { recursive: true }).length
  await until(() => received() > 4)
  await assert.doesNotReject(small.call('brain_commit', { kind: 'memory', slug: 'small', content: 'x'.repeat(1_000) }, solo))
  const large = { kind: 'memory', slug: 'large', content: 'x'.repeat(700_000) }
  await assert.rejects(small.call('brain_commit', large, solo), /size quota/)
  const second = openPush(small, token, { tenantId: 'solo' })
  second.push.end(Buffer.concat([head, begun(700_000)]))
  assert.match(await second.answer, /size quota/)
  first.push.destroy()
  await until(() => !readdirSync(objects).some((name) => /^(tmp_objdir|incoming)/.test(name)))
  await until(() => small.call('brain_commit', large, solo).then(...eitherWay))
})
