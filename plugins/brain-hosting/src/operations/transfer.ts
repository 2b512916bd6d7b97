import { brain } from '@gateway/plugin-brain/api'
import { entitlements } from '@gateway/plugin-entitlements/api'
import { git, type PackRequest, type Repository } from '@gateway/plugin-git/api'
import { type CallContext, type Exchange, NotFound, type Resolved, Unavailable } from '@gateway/sdk'
import { pushLimiter } from '../services/push-limiter.ts'
import { openBody } from './open-body.ts'

export const transferUses = { git, brain, pushLimiter, plan: entitlements }
type Refs = Resolved<typeof transferUses>

const AT_ONCE = { tenant: 4, all: 16 }
const NO_CACHE = { 'cache-control': 'no-cache, max-age=0, must-revalidate' }

/** Runs a transfer with a permit, for a plan that includes it, on a brain that exists at this node. */
export async function transfer(refs: Refs, ctx: CallContext, work: (repo: Repository) => Promise<void>): Promise<void> {
  await refs.plan.require('hostedBrain')
  await refs.brain.requireHere()
  const repo = refs.git.brain(ctx.tenantId)
  if (!(await repo.exists())) throw NotFound({ what: 'hosted brain', id: ctx.tenantId })
  const shares = [
    { key: `of ${ctx.tenantId}`, atMost: AT_ONCE.tenant },
    { key: 'all', atMost: AT_ONCE.all },
  ]
  if (refs.pushLimiter.transfers.take(shares))
    throw Unavailable({ message: 'Too many brain transfers are in progress; try again shortly.', retryAfterSeconds: 5 })
  try {
    await work(repo)
  } finally {
    refs.pushLimiter.transfers.give(shares)
  }
}

export async function answerPack(
  repo: Repository,
  ctx: CallContext,
  { headers, body, answer }: Exchange,
  request: Pick<PackRequest, 'service' | 'advertise' | 'maxBytes' | 'takeRoom' | 'judge'>,
): Promise<void> {
  const kind = request.advertise ? 'advertisement' : 'result'
  const given = headers['git-protocol']
  const protocol = typeof given === 'string' ? given : undefined
  const out = answer(200, { ...NO_CACHE, 'content-type': `application/x-git-${request.service}-${kind}` })
  // A version 2 response needs no service line; a push has no version 2.
  const isVersion2 = protocol === 'version=2' && request.service === 'upload-pack'
  if (request.advertise && !isVersion2) out.write(serviceLine(request.service))
  const sent = openBody(body, headers['content-encoding'])
  try {
    await repo.servePack({ ...request, protocol, signal: ctx.signal }, sent.input, out)
  } finally {
    sent.discard()
  }
}

/** Frames the line for git: the length in four hex digits, the line, and an empty frame. */
function serviceLine(service: string): string {
  const line = `# service=git-${service}\n`
  return `${(line.length + 4).toString(16).padStart(4, '0')}${line}0000`
}
