import { type OutsideUsage, usageLedger } from '@gateway/plugin-providers/api'
import {
  atomically,
  BadRequest,
  checkUnchanged,
  closed,
  DAY_MS,
  defined,
  defineTool,
  type Infer,
  ifUpdatedAt,
  repairText,
  Type,
} from '@gateway/sdk'
import { storableText } from '@gateway/sdk/redact'
import { takePlaces } from '@gateway/sdk/ring'
import { counts, jobs, rings } from '../collections.ts'
import { config } from '../config.ts'
import { recount } from '../operations/counts.ts'
import { epochMs, type Job, jobSchema, RunUsage, STATUSES } from '../schema.ts'

/** The year 2100: a later time is one in other units. The clock of a machine may be wrong by much less, and its runs must not be lost. */
const LATEST_MS = 4_102_444_800_000
/** Ten years, which no run lasts. */
const LONGEST_SECONDS = 315_576_000
const name = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 500, description }))

const input = Type.Object(
  {
    repo: name('The repo it worked in.'),
    taskId: name('The task it worked on.'),
    status: Type.Optional(Type.Enum(STATUSES, { description: 'Outcome of the run.' })),
    resultLine: Type.Optional(Type.String({ description: 'Result in one line.' })),
    errorExcerpt: Type.Optional(Type.String({ description: 'Part of the output that shows the error.' })),
    exitCode: Type.Optional(Type.Integer({ minimum: -2_147_483_648, maximum: 4_294_967_295, description: 'Exit code of its process.' })),
    machine: name('Where it ran.'),
    model: name('The model it used.'),
    logFile: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 4_096,
        description: 'Log of the run. A later record with the same logFile changes that run.',
      }),
    ),
    startedAtMs: Type.Optional(epochMs('Milliseconds since 1970, before the year 2100. Default: now.')),
    durationSeconds: Type.Optional(Type.Number({ minimum: 0, maximum: LONGEST_SECONDS, description: 'Duration of the run.' })),
    ifUpdatedAt,
    usage: Type.Optional(
      Type.Object(RunUsage.properties, {
        ...closed,
        description: 'Usage of a model that was called outside the gateway. It counts towards budgets, once for each logFile.',
      }),
    ),
  },
  closed,
)

export const jobHistoryRecord = defineTool({
  name: 'job_history_record',
  description:
    'Record how a run of a task ended: result line, error excerpt, exit code, duration; secrets in texts are replaced first. A logFile recorded before changes that run instead of adding one. Returns the run.',
  capability: 'work',
  effect: 'write',
  idempotent: true,
  rest: 'POST /api/job-history',
  repairsText: true,
  input,
  output: Type.Object({ job: jobSchema }, closed),
  uses: { jobs, rings, counts, config, atomically, ledgers: usageLedger },
  check: ({ startedAtMs }) => checkBegun(startedAtMs),
  async handle({ ifUpdatedAt: expected, ...args }, { jobs, rings, counts, config, atomically, ledgers }) {
    const given = storable(repairText(args), config)
    return atomically(async (tx) => {
      const [collection, now] = [jobs.in(tx), tx.now.toISOString()]
      const past = new Date(tx.now.getTime() - config.retentionDays * DAY_MS).toISOString()
      const isPast = (job: Job): boolean => job.recordedAt < past
      const dropping = (gone: readonly Job[]): Promise<void> => recount(counts.in(tx), [], gone)
      const ring = { states: rings, documents: jobs, key: 'jobId', prefix: 'job-', max: config.maxJobs, isPast, dropping } as const
      // Before the look-up: an expired run is not revived but recorded again.
      await takePlaces(ring, 0, tx)
      const known = given.logFile === undefined ? [] : (await collection.find({ where: { logFile: given.logFile }, limit: 1 })).items
      const [found] = known
      checkUnchanged(found, expected)
      const { charged, ...reported } = given.usage ?? {}
      if (given.usage && !charged && !found?.usage) {
        const usage = { ...defined({ taskId: given.taskId ?? found?.taskId }), ...reported } as OutsideUsage
        for (const ledger of ledgers) await ledger.add(usage, tx, 'usage')
      }
      if (found) {
        const job = (await collection.updateOne(found.jobId, {
          set: { ...given, ...(found.usage && { usage: found.usage }), updatedAt: now },
        })) as Job
        await recount(counts.in(tx), [job], [found])
        return { job }
      }
      const [jobId = ''] = await takePlaces(ring, 1, tx)
      const job = await collection.insert({ jobId, startedAtMs: tx.now.getTime(), ...given, recordedAt: now, updatedAt: now })
      await recount(counts.in(tx), [job], [])
      return { job }
    })
  },
})

/** A time in other units, such as microseconds, would stand above all runs. */
function checkBegun(startedAtMs: number | undefined): void {
  if (startedAtMs === undefined || startedAtMs <= LATEST_MS) return
  const message = `\`startedAtMs\` must be in milliseconds since 1970, before the year 2100; got ${startedAtMs}.`
  throw BadRequest({ field: 'startedAtMs', message })
}

type Given = Omit<Infer<typeof input>, 'ifUpdatedAt'>

/** Names that searches use stay unchanged; the rest is text. */
function storable(args: Given, { maxResultCharacters, maxErrorCharacters }: { maxResultCharacters: number; maxErrorCharacters: number }) {
  const { resultLine, errorExcerpt, machine, model, ...rest } = args
  return {
    ...rest,
    ...(machine !== undefined && { machine: storableText(machine, 500) }),
    ...(model !== undefined && { model: storableText(model, 500) }),
    ...(resultLine !== undefined && { resultLine: storableText(resultLine, maxResultCharacters) }),
    ...(errorExcerpt !== undefined && { errorExcerpt: storableText(errorExcerpt, maxErrorCharacters) }),
  }
}
