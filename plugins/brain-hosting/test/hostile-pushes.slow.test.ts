import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { commands, openPush, packOfZeros, pktLine } from './packs.ts'
import { gitProcesses, onLinux, peakOf, until } from './processes.ts'
import { acme, clientGit, commit, folder, remote, start, type TestGateway } from './support.ts'

/** Memory of all git processes of one push together, and of the gateway in addition. */
const MOST_MEGABYTES = 300
const ERROR = 50
const BLOB = 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391'

let gateway: TestGateway
let token: string
before(async () => {
  gateway = await start()
  await commit(gateway, 'first')
  ;({ token } = await gateway.call('brain_host_provision', {}, acme))
})
after(() => gateway.stop())

const brains = () => `${gateway.dataDir}/brains`
const quarantines = () => readdirSync(`${brains()}/acme.git/objects`).filter((name) => /^(tmp_objdir|incoming)/.test(name))

test(
  'a push of a megabyte that unpacks to gigabytes is ended below 300 MB, leaves nothing, and others are answered meanwhile',
  onLinux,
  async () => {
    const pack = packOfZeros(800, 2)
    assert.ok(pack.length < 1_000_000)
    const before = process.memoryUsage().rss
    const { push, answer } = openPush(gateway, token)
    push.end(Buffer.concat([Buffer.from(commands(['refs/heads/idea/bomb'], BLOB)), pack]))
    let grown = 0
    let answered = 0
    let over = false
    void answer.finally(() => (over = true))
    const others = (async () => {
      while (!over) {
        await gateway.call('brain_log', {}, { as: { ...acme.as, tenantId: 'globex' } })
        if (!over) answered++
        grown = Math.max(grown, process.memoryUsage().rss - before)
      }
    })()
    const git = await peakOf(brains(), Promise.all([answer, others]))
    assert.match(await answer, /unpack .*\n/)
    assert.doesNotMatch(await answer, /unpack ok/)
    assert.ok(answered > 0)
    assert.ok(
      git + grown / 1_048_576 < MOST_MEGABYTES,
      `git took ${git.toFixed(0)} MB, the gateway grew by ${(grown / 1_048_576).toFixed(0)} MB`,
    )
    await until(() => quarantines().length === 0 && !gitProcesses(brains()).some(({ command }) => command.includes('index-pack')))
  },
)

test('a push of a million refs, packed into a megabyte, is refused before git has any of them', onLinux, async () => {
  const line = pktLine(`${'0'.repeat(40)} ${BLOB} refs/heads/idea/${'x'.repeat(100)}\n`)
  const body = gzipSync(`${commands(['refs/heads/idea/a'], BLOB).slice(0, -4)}${line.repeat(1_500_000)}0000`, { level: 9 })
  const { push, answer } = openPush(gateway, token, { encoding: 'gzip' })
  push.end(body)
  const git = await peakOf(brains(), answer)
  assert.match(await answer, /A push moves at most 50 refs\./)
  assert.ok(git < 100, `git took ${git.toFixed(0)} MB`)
})

test('a client that pushes more than 50 refs reads why on its screen, and one that pushes 50 is served', async () => {
  const clone = await folder()
  await clientGit(clone, 'clone', '-q', remote(gateway, token), '.')
  const refs = (count: number) => Array.from({ length: count }, (_, n) => `HEAD:refs/heads/idea/many-${n}`)
  await assert.rejects(clientGit(clone, 'push', 'origin', ...refs(51)), /remote: A push moves at most 50 refs\./)
  await clientGit(clone, 'push', '-q', 'origin', ...refs(50))
  assert.match(await clientGit(clone, 'ls-remote', 'origin'), /idea\/many-49/)
})

test('a push is ended at its CPU time, and one that goes on too long at its deadline', onLinux, async () => {
  const limits = { pushCpuSeconds: 1, transferSeconds: 5 }
  await using strict = await start({ config: { git: { limits } } })
  await commit(strict, 'first')
  const { token } = await strict.call('brain_host_provision', {}, acme)
  const busy = openPush(strict, token)
  busy.push.end(Buffer.concat([Buffer.from(commands(['refs/heads/idea/busy'], BLOB)), packOfZeros(1_600, 0)]))
  assert.doesNotMatch(await busy.answer, /unpack ok/)
  const slow = openPush(strict, token)
  slow.push.write(`${commands(['refs/heads/idea/slow'], BLOB)}PACK\0\0\0\u0002\0\0\0\u0009`)
  assert.doesNotMatch(await slow.answer, /unpack ok/)
  slow.push.destroy()
  const left = () => readdirSync(`${strict.dataDir}/brains/acme.git/objects`).filter((name) => /^(tmp_objdir|incoming)/.test(name))
  await until(
    () => left().length === 0 && gitProcesses(`${strict.dataDir}/brains`).every(({ command }) => !/receive-pack|index-pack/.test(command)),
  )
})

test('a request to fetch that is nonsense, or unpacks to gigabytes, is the client’s fault and not logged as one of the gateway', async () => {
  const ask = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
    fetch(`${gateway.url}/git/acme/brain.git/git-upload-pack`, {
      method: 'POST',
      body,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-git-upload-pack-request', ...headers },
    })
      .then((response) => response.text())
      .catch(() => '')
  await ask('nonsense')
  await ask(`${pktLine(`want ${'1'.repeat(40)}\n`)}00000009done\n`)
  await ask(Uint8Array.from(gzipSync(pktLine(`want ${BLOB}\n`).repeat(2_000_000))), { 'content-encoding': 'gzip' })
  await ask('no gzip', { 'content-encoding': 'gzip' })
  assert.deepEqual(
    gateway.logs.filter(({ level }) => Number(level) >= ERROR),
    [],
  )
})
