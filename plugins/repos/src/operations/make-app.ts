import type { Entitlements } from '@gateway/plugin-entitlements/api'
import type { Outgoing } from '@gateway/plugin-outgoing/api'
import { type Atomically, type CallContext, type Collection, Conflict, principalName } from '@gateway/sdk'
import { storableText } from '@gateway/sdk/redact'
import { plainText } from '../rules/plain-text.ts'
import { type ProducedRepo, producedRepo } from '../rules/produced-repo.ts'
import type { Card, StoredEntry } from '../schema.ts'
import { type PipelineSettings, type Triggered, triggerPipeline } from './pipeline.ts'
import { leaveRoom } from './room.ts'
import { type CardFields, writeCard } from './write-card.ts'

interface Refs {
  readonly roster: Collection<StoredEntry>
  readonly cards: Collection<Card>
  readonly plan: Entitlements | undefined
  readonly atomically: Atomically
  readonly config: PipelineSettings
  readonly outgoing: Outgoing | undefined
}
interface Wish {
  readonly idea: string
  readonly name: string
  readonly group: string
  readonly trigger: boolean
}
interface Made {
  readonly name: string
  readonly card: Card
  readonly pipeline: Pipeline
  readonly repo?: ProducedRepo
}
type Pipeline = Triggered | { readonly triggered: false }

/** Reporter on the cards that this writes: such a card may be requested again, any other card belongs to someone else. */
const REPORTER = 'new_app'

/** Writes the card first, so that it exists whatever happens to the call; then makes the call and records its result. */
export async function makeApp(refs: Refs, { idea, name, group, trigger }: Wish, ctx: CallContext): Promise<Made> {
  const { plan } = refs
  if (trigger) {
    await plan?.require('ideaToApp')
    await plan?.consume('generationCredits', 1)
  }
  const asked = trigger ? 'The pipeline is asked to make it.' : 'Registered; the pipeline was not asked.'
  const fresh = {
    description: storableText(plainText(idea).trim(), MAX_DESCRIPTION),
    group,
    lastStatus: asked,
    lastStatusLevel: 'unknown',
    reportedBy: REPORTER,
    reportedByPrincipal: principalName(ctx.principal),
  } as const
  const card = await register(refs, name, fresh).catch(async (error: unknown) => {
    if (trigger) await plan?.giveBack('generationCredits', 1)
    throw error
  })
  if (!trigger) return { name, card, pipeline: { triggered: false } }
  const pipeline = await triggerPipeline(refs.config, refs.outgoing, { idea, name, group, requestId: ctx.requestId }, ctx)
  if (!pipeline.triggered) await plan?.giveBack('generationCredits', 1)
  const outcome: CardFields = pipeline.triggered
    ? { lastStatus: 'The pipeline has taken it.', lastStatusLevel: 'ok' }
    : {
        lastStatus: storableText(plainText(pipeline.error), MAX_STATUS),
        lastStatusLevel: pipeline.code === 'UNAVAILABLE' ? 'warn' : 'error',
      }
  const repo = pipeline.triggered ? producedRepo(pipeline.answer) : undefined
  return { name, card: await register(refs, name, outcome), pipeline, ...(repo && { repo }) }
}

const MAX_DESCRIPTION = 2_000
const MAX_STATUS = 1_000

async function register({ plan, atomically, ...refs }: Refs, name: string, fields: CardFields): Promise<Card> {
  const { cards } = refs
  const bound = await plan?.bound('repos')
  return atomically(async (tx) => {
    await leaveRoom(bound, name, refs, tx)
    const before = await cards.in(tx).get(name)
    if (before && fields.reportedBy === REPORTER && before.reportedBy !== REPORTER)
      throw Conflict({ field: 'name', message: `\`name\` must be free; ${name} is the card of another app.` })
    return (await writeCard(cards, name, fields, tx)).card
  })
}
