/**
 * A process that competes with many for the same leases. Plain JavaScript without imports of the repository, so that sixteen of
 * them
 * start at once. It uses its own clock that leaps back and forth, and records every call before it is made,
 * so that a kill loses no call.
 */
import { openSync, writeSync } from 'node:fs'

const { holder, file, keys, speed, seed } = JSON.parse(process.argv[2])
const out = openSync(file, 'a')
const record = (line) => writeSync(out, `${JSON.stringify(line)}\n`)
/** Returns milliseconds of the one clock that all processes of a machine share. */
const time = () => Number(process.hrtime.bigint()) / 1e6
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

let state = seed
/** Returns a number from 0 to 1. */
function random() {
  state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
  return state / 2_147_483_648
}

let skew = 0
/** Returns this process's view of the time, in milliseconds of real time. */
function now() {
  if (random() < 0.05) skew = (random() - 0.5) * 4_000
  return Date.now() + skew
}

let url
let urlCame
const hasUrl = new Promise((resolve) => (urlCame = resolve))
process.on('message', (message) => {
  url = message.url
  urlCame()
})
process.on('disconnect', () => process.exit())

let made = 0
/** Returns the answer, or `undefined` when none came. */
async function call(key, request) {
  const id = `${holder}#${made++}`
  record({ id, key, holder, request, invoked: time() })
  let response
  let body
  try {
    response = await fetch(`${url}/api/tools/${toolOf(request)}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(argumentsOf(id, key, request)),
    })
    body = await response.json()
  } catch (error) {
    // A request without a connection was never sent.
    record(error.cause?.code === 'ECONNREFUSED' ? { id, unsent: true } : { id, lost: time() })
    await sleep(50)
    return undefined
  }
  const returned = time()
  const answer = answerOf(response.status, body)
  if (!answer) {
    record({ id, fault: `${response.status} ${JSON.stringify(body)}` })
    process.exit(1)
  }
  record({ id, returned, answer })
  process.send('answered')
  return answer
}

function toolOf({ op }) {
  return op === 'write' ? 'ledger_write' : `lease_${op}`
}

function argumentsOf(entryId, key, { op, seconds, epoch, force, fence }) {
  if (op === 'write') return { key, entryId, fence }
  return { key, holder, ...(seconds && { leaseSeconds: seconds }), ...(epoch && { epoch }), ...(force && { force }) }
}

function answerOf(status, body) {
  if (status === 409 && body.code === 'STALE_FENCE') return { ok: false, heldBy: body.details.heldBy }
  if (status !== 200) return undefined
  const { lease, tookOverFrom, heldBy, at } = body
  const ok = body.acquired ?? body.ok ?? body.released ?? at !== undefined
  return {
    ok,
    ...(lease && { lease: given(lease) }),
    ...(tookOverFrom && { tookOverFrom }),
    ...(heldBy && { heldBy }),
    ...(body.leaseUntil && { until: Date.parse(body.leaseUntil) }),
    ...(at && { at: Date.parse(at) }),
  }
}

function given({ epoch, fence, acquiredAt, heartbeatAt, leaseUntil }) {
  return { epoch, fence, acquiredAt: Date.parse(acquiredAt), at: Date.parse(heartbeatAt), until: Date.parse(leaseUntil) }
}

/** Leases that it believes to hold, by key. It may be wrong: the fences guard against that. */
const held = new Map()

function next(lease) {
  const seconds = 30 + Math.floor(random() * 30)
  const acquire = { op: 'acquire', seconds }
  if (!lease) return acquire
  const luck = random()
  const believes = now() < lease.ends
  if (luck < (believes ? 0.6 : 0.3)) return { op: 'write', fence: lease.fence }
  if (luck < (believes ? 0.8 : 0.5)) return { op: 'heartbeat', epoch: lease.epoch, seconds }
  if (luck < (believes ? 0.9 : 0.55)) return { op: 'release', epoch: lease.epoch, force: random() < 0.2 }
  return acquire
}

await hasUrl
for (;;) {
  const key = keys[Math.floor(random() * keys.length)]
  const request = next(held.get(key))
  const answer = await call(key, request)
  if (answer?.lease) held.set(key, { ...answer.lease, ends: now() + (request.seconds * 1000) / speed })
  // A process that does not notice the loss of its lease continues to write under it.
  else if (answer && request.op !== 'write' && random() < 0.7) held.delete(key)
  await sleep(random() * 15)
}
