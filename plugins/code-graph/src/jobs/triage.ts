import { type Collection, defineJob, dueIn, now } from '@gateway/sdk'
import { type Pull, pulls } from '../collections.ts'
import { riskOfPull, triageUses } from '../operations/triage-pull.ts'

const due = { nextTryAt: { lte: now() } } as const
const PER_RUN = 20
/** A branch may reach the folder of its repo later than its pull request reaches the gateway: four attempts within a day. */
const RETRY_SECONDS = [300, 3_600, 86_400]

/** Works out the risk of pull requests that were opened or have changed, as triage_prs does. */
export const triage = defineJob('code-graph.triage', {
  everySeconds: 15,
  activeTenantsOnly: true,
  due: [dueIn(pulls, due)],
  uses: { ...triageUses, pulls },
  async run(refs, ctx): Promise<{ triaged: number }> {
    const { items } = await refs.pulls.find({ where: due, sort: { nextTryAt: 1 }, limit: PER_RUN })
    let triaged = 0
    for (const pull of items) {
      if (ctx.signal.aborted) break
      const found = await riskOfPull(refs, pull, ctx)
      if (found) triaged++
      await keep(refs.pulls, pull, found)
    }
    return { triaged }
  },
})

/** The condition leaves a pull request alone that has changed meanwhile. */
async function keep(pulls: Collection<Pull>, pull: Pull, found: Awaited<ReturnType<typeof riskOfPull>>): Promise<void> {
  const { url, attempts, nextTryAt = null } = pull
  const seconds = RETRY_SECONDS[attempts]
  const change =
    found || seconds === undefined
      ? { set: { attempts: attempts + 1, ...found }, unset: ['nextTryAt'] as const }
      : { set: { attempts: attempts + 1, nextTryAt: now(seconds) } }
  await pulls.updateOne(url, change, { nextTryAt })
}
