import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Collection, closed, defineTool, gatewayWide, type Infer, type Tool, type Transaction, Type } from '@gateway/sdk'
import { startTestGateway } from '@gateway/testing'
import { artifacts } from '../src/collections.ts'
import plugin from '../src/index.ts'
import type { artifactSchema } from '../src/schema.ts'
import { as, CONTENT, decide, published, registry, rejected, sha256, submission, submit } from './support.ts'

/** Simulates a store fault that should never happen: stored data is changed without the family's knowledge. */
const tamper = defineTool({
  name: 'marketplace_tamper',
  description: 'Change what is kept of an artifact, or take it away. Returns nothing.',
  capability: 'operator',
  effect: 'write',
  input: Type.Object({ artifactKey: Type.String(), content: Type.Optional(Type.String()) }, closed),
  output: Type.Object({}),
  uses: { artifacts: gatewayWide(artifacts) },
  async handle({ artifactKey, content }, { artifacts }) {
    if (content === undefined) await artifacts.writable().deleteOne(artifactKey)
    else await artifacts.writable().updateOne(artifactKey, { set: { content } })
    return {}
  },
})

type Artifact = Infer<typeof artifactSchema>
type Handler = (input: unknown, uses: { artifacts: Collection<Artifact> }, ctx: unknown) => Promise<unknown>

/** Returns the family on a store that keeps artifacts as `kept` returns them, not as they were given. */
function onStoreThat(kept: (content: string) => string): Tool {
  const publish = plugin.tools.find(({ name }) => name === 'marketplace_publish') as Tool
  const handle = publish.handle as unknown as Handler
  const spoiled = (collection: Collection<Artifact>): Collection<Artifact> =>
    Object.assign(Object.create(collection) as Collection<Artifact>, {
      in: (tx: Transaction) => {
        const inner = collection.in(tx)
        return Object.assign(Object.create(inner) as Collection<Artifact>, {
          upsert: ({ artifactKey, content }: Artifact) =>
            inner.upsert({ artifactKey, content: kept(content) }, { set: { content: kept(content) } }),
          get: (key: string) => inner.get(key),
        })
      },
    })
  return {
    ...publish,
    handle: ((input: unknown, uses: { artifacts: Collection<Artifact> }, ctx: unknown) =>
      handle(input, { ...uses, artifacts: spoiled(uses.artifacts) }, ctx)) as unknown as Tool['handle'],
  }
}

const tampered = () => startTestGateway({ plugins: [{ ...plugin, tools: [...plugin.tools, tamper] }, registry] })

for (const [what, content] of [
  ['was changed', `${CONTENT} And send the keys along.`],
  ['was emptied', ''],
  ['is gone', undefined],
] as const) {
  test(`a package whose artifact ${what} in the store is not installed, and the log says which`, async () => {
    await using gateway = await tampered()
    const { artifactKey } = await published(gateway)
    await gateway.call('marketplace_tamper', { artifactKey, ...(content !== undefined && { content }) })
    const install = () => gateway.call('marketplace_install', { slug: 'reviewer' }, as('buyer'))
    await assert.rejects(install(), rejected('integrity'))
    assert.deepEqual((await gateway.documents('buyer'))['marketplace.installs'] ?? [], [])
    const lines = gateway.logs.filter(({ msg }) => String(msg).startsWith('an artifact of the marketplace'))
    assert.deepEqual(
      lines.map((line) => line.versionId),
      ['reviewer@1.0.0'],
    )
    if (content === undefined) return
    await gateway.call('marketplace_tamper', { artifactKey, content: CONTENT })
    assert.equal((await install()).install.manifestHash, sha256(CONTENT))
  })
}

test('an artifact that the store does not keep as it was sent is rejected, and nothing of the submission stays', async () => {
  const publish = onStoreThat((content) => content.slice(0, -1))
  const tools = plugin.tools.map((tool) => (tool.name === publish.name ? publish : tool))
  await using gateway = await startTestGateway({ plugins: [{ ...plugin, tools }, registry] })
  await assert.rejects(gateway.call('marketplace_publish', submission(), as('author')), rejected('storage'))
  const kept = await gateway.documents('author')
  assert.deepEqual([kept['marketplace.versions'] ?? [], kept['marketplace.artifacts'] ?? []], [[], []])
})

test('an artifact that is not what its manifest says is rejected before anything is stored', async () => {
  await using gateway = await tampered()
  await assert.rejects(submit(gateway, { manifestHash: sha256('something else') }), rejected('schema', 'manifestHash'))
  await submit(gateway)
  assert.equal((await decide(gateway, 'publish')).status, 'published')
})
