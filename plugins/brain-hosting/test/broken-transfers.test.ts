import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { after, before, test } from 'node:test'
import { acme, clientGit, folder, remote, start, type TestGateway } from './support.ts'

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

const inBrain = (...args: string[]) => clientGit(`${gateway.dataDir}/brains/acme.git`, ...args)

test('clients that go away in the middle of a push leave nothing behind, and free their place', async () => {
  const { port } = new URL(gateway.url)
  const tip = await inBrain('rev-parse', 'main')
  for (let n = 0; n < 6; n++) {
    const push = request({
      port,
      method: 'POST',
      path: '/git/acme/brain.git/git-receive-pack',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-git-receive-pack-request' },
    })
    push.on('error', () => {})
    const line = `${'0'.repeat(40)} ${tip} refs/heads/idea/x${n}\0 report-status\n`
    push.write(`${(line.length + 4).toString(16).padStart(4, '0')}${line}0000PACK\0\0\0\x02\0\0\0\x09`)
    await once(push, 'response', { signal: AbortSignal.timeout(300) }).catch(() => {})
    push.destroy()
    await new Promise((resolve) => push.once('close', resolve))
  }
  await mkdir(`${clone}/memory/20260106`, { recursive: true })
  await writeFile(`${clone}/memory/20260106/20260106T090000Z-large-0123abcd.md`, randomBytes(3_000_000).toString('base64'))
  await clientGit(clone, 'add', '-A')
  await clientGit(clone, 'commit', '-qm', 'large')
  await clientGit(clone, 'push', '-q', 'origin', 'HEAD:main')
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
