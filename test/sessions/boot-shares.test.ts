import assert from 'node:assert/strict'
import { test } from 'node:test'
import { standardPlugins } from '@gateway/standard'
import { startTestGateway, type TestGateway } from '@gateway/testing'

interface Placed {
  readonly title: string
  readonly place: string
  readonly characters: number
  readonly of: number
  readonly truncated: boolean
}
/** The parts that hold what a session needs, in their order in the bundle. */
const PROMISED = ['Next', 'Handoff', 'State', 'Decisions and memory', 'Last session', 'Open work', 'Memory of all repos']
const SUBJECTS = ['prices', 'orders', 'carts', 'mails', 'stocks', 'users', 'keys', 'pages', 'jobs', 'taxes', 'labels', 'routes']

const ANOTHER = { as: { kind: 'api-key', id: 'key:k5', role: 'member', label: 'm2/agent-5' } } as const

const lines = (count: number, line: (n: number) => string): string => Array.from({ length: count }, (_, n) => line(n)).join('\n')
const decided = (n: number): string =>
  `# ${SUBJECTS[n % SUBJECTS.length]} are handled in step ${n}\n\nDecision: step ${n} comes first, because the ${SUBJECTS[(n * 5) % SUBJECTS.length]} need its result, and doing both at once has lost a record before.`

/** A repo after weeks of work: every part has more to say than a bundle holds. */
async function weeks(gateway: TestGateway, repo: string): Promise<void> {
  const commit = (args: object) => gateway.call('brain_commit', args)
  for (let n = 0; n < 12; n++) await commit({ kind: n % 3 === 0 ? 'handoff' : 'session', repo, slug: `work-${n}`, content: decided(n) })
  for (let n = 0; n < 8; n++) await commit({ kind: 'memory', slug: `all-${n}`, content: decided(n) })
  await commit({
    kind: 'session',
    repo,
    slug: 'last',
    content: `# Count in cents\n\n${lines(40, (n) => `- changed file ${n} of the cart`)}`,
  })
  for (let n = 0; n < 6; n++) {
    await gateway.call('brain_branch', { slug: `crashed-${n}`, kind: 'session' }, ANOTHER)
    await gateway.call('brain_commit', { kind: 'session', repo, slug: `open-${n}`, content: `# Half of step ${n}\n\nNot done.` }, ANOTHER)
  }
  for (let n = 0; n < 3; n++) await gateway.call('brain_stash', { slug: `stash-${n}`, content: decided(n) })
  const next = `## Next\n\n${lines(30, (n) => `- finish the ${SUBJECTS[n % SUBJECTS.length]} of release ${n}`)}`
  const state = `# State\n\n${lines(60, (n) => `Module ${n} works and is tested.`)}\n\n${next}`
  await gateway.call('state_update', { repo, file: 'state', content: state })
  await gateway.call('handoff_write', { repo, content: `# Now\n\n${lines(50, (n) => `- looked at file ${n}, nothing odd`)}` })
}

async function boot(gateway: TestGateway, repo: string, budget: number) {
  const { bundle, manifest } = await gateway.call('context_boot', { repo, budget, include: ['manifest'] })
  const parts = (manifest.parts as readonly Placed[]).filter(({ place, characters }) => place === 'volatile' && characters > 0)
  return { bundle: bundle as string, parts }
}

test('each part of a boot has its share of the budget, and room that one does not need goes to the others', async () => {
  await using gateway = await startTestGateway({ plugins: standardPlugins })
  await weeks(gateway, 'shop')
  await gateway.call('brain_commit', { kind: 'session', repo: 'quiet', slug: 'one', content: decided(1) })
  for (const budget of [1_800, 4_000]) {
    const { bundle, parts } = await boot(gateway, 'shop', budget)
    assert.deepEqual(
      parts.map(({ title }) => title).filter((title) => PROMISED.includes(title)),
      PROMISED,
    )
    assert.ok(bundle.length <= budget && bundle.length > 0.9 * budget, `${bundle.length} of ${budget}`)
    const cut = parts.filter(({ truncated }) => truncated).map(({ characters }) => characters)
    // A part is cut at the end of a line, so the shares differ by a line.
    assert.ok(Math.min(...cut) > 0.5 * Math.max(...cut), `${budget}: ${cut.join()}`)
  }
  // A repo with little to say has all of it in the bundle, and the memory of all repos has the rest.
  const { bundle, parts } = await boot(gateway, 'quiet', 3_000)
  assert.ok(bundle.length > 0.9 * 3_000, `${bundle.length}`)
  const [last, all] = ['Last session', 'Memory of all repos'].map((wanted) => parts.find(({ title }) => title === wanted))
  assert.ok(last && all && !last.truncated && all.characters > 5 * last.characters, JSON.stringify(parts))
})
