import { type CallContext, closed, defined, defineRoute, type GettingStartedStep, gettingStarted, Type } from '@gateway/sdk'
import { within } from '@gateway/sdk/bounds'

/** A step whose state is not known in time counts as not taken. */
const MAX_WAIT_MS = 3_000

const Step = Type.Object(
  {
    id: Type.String(),
    title: Type.String(),
    text: Type.String(),
    done: Type.Boolean(),
    snippets: Type.Array(Type.Object({ label: Type.String(), code: Type.String() }, closed)),
    to: Type.Optional(Type.String({ description: 'Path of the page on which it can be taken.' })),
  },
  closed,
)

export const dashboardGettingStarted = defineRoute({
  name: 'dashboard.getting-started',
  description: 'List the steps that put a new gateway to work, and which of them were taken. Returns {steps, done}.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/dashboard/getting-started',
  input: Type.Object({}, closed),
  output: Type.Object({ steps: Type.Array(Step), done: Type.Integer({ description: 'Number of steps that were taken.' }) }, closed),
  uses: { sources: gettingStarted },
  async handle(_input, { sources }, ctx) {
    const own = sources.filter(({ capability = 'read' }) => ctx.holds(capability)).sort((a, b) => a.order - b.order)
    const steps = await Promise.all(
      own.map(async (step) => ({
        id: step.id,
        title: step.title,
        text: step.text,
        done: await isDone(step, ctx),
        snippets: (step.snippets ?? []).map((snippet) => ({ ...snippet })),
        ...defined({ to: step.link?.to }),
      })),
    )
    return { steps, done: steps.filter(({ done }) => done).length }
  },
})

async function isDone(step: GettingStartedStep, { log }: CallContext): Promise<boolean> {
  try {
    return await within(step.isDone(), MAX_WAIT_MS, false)
  } catch (error) {
    log.warn('a step of the introduction could not be checked', { step: step.id, err: error })
    return false
  }
}
