import { closed, DAY_MS, defined, defineTool, Type, truncated } from '@gateway/sdk'
import { journeys } from '../collections.ts'
import { signedUp } from '../operations/signed-up.ts'
import { reading, waysSince } from '../operations/ways.ts'
import { cohortOf } from '../rules/cohort.ts'
import { completion, counts, drops, type Way, worst } from '../rules/funnel.ts'
import { stepsOf, VIEWS, viewOf } from '../rules/views.ts'
import { rate, type Step, step, stepCount } from '../schema.ts'
import { JOURNEY } from '../services/activation.ts'

const flag = (description: string) => Type.Optional(Type.Boolean({ description }))

export const activationFunnel = defineTool({
  name: 'activation_funnel',
  description:
    'Show how far a tenant has come from sign-up to first use; for the operator, how far all tenants come and where they drop off. Returns the steps of one view: if several are set, dropoff goes before hostedBrain, selfServe and fleet.',
  capability: 'read',
  effect: 'read',
  input: Type.Object(
    {
      fleet: flag('All tenants: how many have done each step. For the operator.'),
      sinceDays: Type.Optional(
        Type.Number({ exclusiveMinimum: 0, maximum: 36_500, description: 'Only tenants that signed up within this many days.' }),
      ),
      selfServe: flag('All tenants, from sign-up to the first task shipped and to staying. For the operator.'),
      hostedBrain: flag('All tenants, from sign-up to the first merge into a hosted brain. For the operator.'),
      dropoff: flag('All tenants: where they are lost, and each cohort’s own funnel. For the operator.'),
      cohort: Type.Optional(Type.Enum(['month', 'week'], { default: 'month', description: 'Cohorts of dropoff, by time of sign-up.' })),
    },
    closed,
  ),
  output: Type.Object(
    {
      view: Type.Enum(VIEWS),
      tenants: Type.Optional(Type.Integer({ description: 'Tenants that signed up.' })),
      journey: Type.Optional(
        Type.Array(Type.Object({ step, reached: Type.Boolean(), at: Type.Optional(Type.String()) }, closed), {
          description: 'Steps of the caller’s tenant.',
        }),
      ),
      steps: Type.Optional(Type.Array(stepCount)),
      activationRate: rate('Share of the signed-up tenants that did the last step.'),
      conversionRate: rate('Share of the signed-up tenants that did the last step.'),
      stages: Type.Optional(
        Type.Array(Type.Object({ stage: step, reached: Type.Integer(), droppedOff: Type.Integer(), dropoffRate: Type.Number() }, closed)),
      ),
      worstStage: Type.Optional(Type.Union([step, Type.Null()], { description: 'Stage after which most tenants are lost.' })),
      cohorts: Type.Optional(
        Type.Array(
          Type.Object(
            { cohort: Type.String(), tenants: Type.Integer(), steps: Type.Array(stepCount), activationRate: Type.Number() },
            closed,
          ),
        ),
      ),
      truncated,
    },
    closed,
  ),
  uses: { ...reading, journeys },
  async handle({ sinceDays, cohort = 'month', ...asked }, refs, ctx) {
    const view = viewOf(asked)
    const steps = stepsOf[view]
    if (view === 'own') {
      const signup = await signedUp(refs.tenants, ctx.tenantId)
      const way: Way = { ...(await refs.journeys.get(JOURNEY)), ...defined({ signup }) }
      return { view, journey: steps.map((step) => stage(step, way[step])) }
    }
    ctx.require('operator')
    const since = sinceDays === undefined ? undefined : new Date(ctx.now().getTime() - sinceDays * DAY_MS).toISOString()
    const { ways, truncated } = await waysSince(refs, since)
    const answer = { view, tenants: ways.length, ...(truncated && { truncated }) }
    if (view === 'dropoff') {
      const stages = drops(ways, steps)
      return { ...answer, stages, worstStage: worst(stages), cohorts: cohorts(ways, steps, cohort) }
    }
    const rate = completion(ways, steps)
    return { ...answer, steps: counts(ways, steps), ...(view === 'fleet' ? { activationRate: rate } : { conversionRate: rate }) }
  },
})

const stage = (step: Step, at: string | undefined) => (at === undefined ? { step, reached: false } : { step, reached: true, at })

function cohorts(ways: readonly Way[], steps: readonly Step[], by: 'month' | 'week') {
  const byCohort = new Map<string, Way[]>()
  for (const way of ways) {
    const cohort = cohortOf(way.signup as string, by)
    byCohort.set(cohort, [...(byCohort.get(cohort) ?? []), way])
  }
  const sorted = [...byCohort].sort(([a], [b]) => (a < b ? -1 : 1))
  return sorted.map(([cohort, ways]) => ({
    cohort,
    tenants: ways.length,
    steps: counts(ways, steps),
    activationRate: completion(ways, steps),
  }))
}
