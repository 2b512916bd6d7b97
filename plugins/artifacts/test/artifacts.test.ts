import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import artifacts from '../src/index.ts'
import type { Artifact } from '../src/schema.ts'

const start = (config: object = {}) => startTestGateway({ plugins: [artifacts], config: { artifacts: { ...config } } })
const register = async (gateway: TestGateway, args: object = {}, options?: object): Promise<Artifact> =>
  (await gateway.call('artifacts_register', { taskId: 'task-1', content: 'hello', ...args }, options)).artifact
const list = async (gateway: TestGateway, taskId = 'task-1', options?: object): Promise<Artifact[]> =>
  (await gateway.call('artifacts_list', { taskId }, options)).artifacts
const read = (gateway: TestGateway, artifactId: string) => gateway.inject({ method: 'GET', url: `/api/artifacts/${artifactId}` })
const held = async (gateway: TestGateway) => {
  const documents = await gateway.documents()
  return [documents.artifacts?.length, documents['artifacts.contents']?.length]
}

test('an artifact is answered with its metadata, as the list has it, and its content is read back over REST', async () => {
  await using gateway = await start()
  const content = 'línea 1\nlínea 2 😀\n'
  const named = { repo: 'web', kind: 'build-log', filename: 'build.log' }
  const artifact = await register(gateway, { ...named, content })
  const { artifactId, compressedBytes, ...rest } = artifact
  assert.match(artifactId, /^art-/)
  assert.ok(compressedBytes > 0)
  const bytes = Buffer.byteLength(content)
  const sha256 = createHash('sha256').update(content).digest('hex')
  const createdAt = new Date(gateway.clock.now()).toISOString()
  assert.deepEqual(rest, { taskId: 'task-1', ...named, contentType: 'text/plain', bytes, truncated: false, sha256, createdAt })
  assert.deepEqual(await list(gateway), [artifact])
  const answer = await read(gateway, artifactId)
  assert.deepEqual([answer.status, answer.json()], [200, { artifact, content }])
  assert.equal((await register(gateway, { contentType: 'text/html', content: '' })).contentType, 'text/html')
})

test('content is compressed', async () => {
  await using gateway = await start()
  const { bytes, compressedBytes } = await register(gateway, { content: 'the same line again\n'.repeat(10_000) })
  assert.equal(bytes, 200_000)
  assert.ok(compressedBytes < 2_000)
  const [stored] = (await gateway.documents())['artifacts.contents'] as { gzip: string }[]
  assert.ok((stored?.gzip.length ?? 0) < 3_000)
})

test('content is cut at the limit, between two characters', async () => {
  await using gateway = await start({ maxContentBytes: 10 })
  const cut = await register(gateway, { content: 'abcdefgh😀xyz' })
  assert.deepEqual([cut.bytes, cut.truncated], [8, true])
  assert.equal((await read(gateway, cut.artifactId)).json().content, 'abcdefgh')
  const whole = await register(gateway, { content: 'abcdef😀' })
  assert.deepEqual([whole.bytes, whole.truncated], [10, false])
})

test('content is cut where it would not fit into an answer, so that every artifact can be read', async () => {
  const env = { GATEWAY_ANSWER_LIMIT_BYTES: '65536' }
  await using gateway = await startTestGateway({ plugins: [artifacts], config: { artifacts: { maxContentBytes: 8_388_608 } }, env })
  for (const character of ['x', '"', '\n', '\u0001', '€', '😀']) {
    const { artifactId, bytes, truncated } = await register(gateway, { content: character.repeat(100_000), filename: '"'.repeat(1_000) })
    const answer = await read(gateway, artifactId)
    assert.deepEqual([answer.status, truncated], [200, true], character)
    const { content } = answer.json()
    assert.equal(content, character.repeat(bytes / Buffer.byteLength(character)))
    const size = Buffer.byteLength(JSON.stringify(content))
    assert.ok(size <= 49_152 && size > 49_140, `${size}`)
  }
})

test('no secret of the content is stored, also where the cut would leave half of one', async () => {
  await using gateway = await start({ maxContentBytes: 40 })
  const key = 'ghp_0123456789abcdefghij0123456789abcdef'
  const { artifactId } = await register(gateway, { content: `a line of a log ${key} and more of it` })
  assert.equal((await read(gateway, artifactId)).json().content, 'a line of a log [redacted] and more of i')
})

test('the list shows the task’s own artifacts, newest last, and no content', async () => {
  await using gateway = await start()
  for (const filename of ['c', 'a', 'b']) await register(gateway, { filename })
  await register(gateway, { taskId: 'task-2', filename: 'theirs' })
  const listed = await list(gateway)
  assert.deepEqual(
    listed.map(({ filename }) => filename),
    ['c', 'a', 'b'],
  )
  assert.ok(!JSON.stringify(listed).includes('gzip'))
  assert.deepEqual(await list(gateway, 'none'), [])
  assert.deepEqual(await list(gateway, 'task-1', { as: { tenantId: 'other' } }), [])
})

test('bad values are refused and nothing is kept', async () => {
  await using gateway = await start()
  for (const args of [{ kind: 'movie' }, { taskId: '' }, { content: 1 }, { extra: 1 }])
    await assert.rejects(register(gateway, args), { code: 'BAD_REQUEST' }, JSON.stringify(args))
  await assert.rejects(gateway.call('artifacts_list', {}), { code: 'BAD_REQUEST' })
  assert.deepEqual(await held(gateway), [0, 0])
  assert.equal((await read(gateway, 'art-none')).status, 404)
})

test('beyond the number kept, and past their age, the oldest go with their content', async () => {
  await using gateway = await start({ maxArtifacts: 2, retentionDays: 1 })
  for (const filename of ['1', '2', '3']) await register(gateway, { filename })
  assert.deepEqual(
    (await list(gateway)).map(({ filename }) => filename),
    ['2', '3'],
  )
  assert.deepEqual(await held(gateway), [2, 2])
  gateway.clock.advance(86_401)
  await register(gateway, { filename: '4' })
  assert.deepEqual(
    (await list(gateway)).map(({ filename }) => filename),
    ['4'],
  )
  assert.deepEqual(await held(gateway), [1, 1])
})
