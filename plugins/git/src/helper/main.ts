import { closeAll, closeIdle, repositoryAt } from './open-repositories.ts'
import { inPieces, onWorkTrees, operations } from './operations.ts'
import { type Answer, type GitSettings, type Request, SETTINGS_ARGUMENT } from './protocol.ts'
import { Busy } from './queue.ts'
import { git, killAll } from './run.ts'
import { probe } from './version.ts'

/**
 * The helper: a small separate process, so that starting git never blocks the gateway while its memory is copied.
 * It lives as long as its channel.
 */
type Work = (subject: unknown, ...args: unknown[]) => Promise<unknown>
type Pieces = (subject: unknown, ...args: unknown[]) => AsyncIterable<unknown>

const CHECK_IDLE_MS = 5_000
const pulls = new Map<number, (next: boolean) => void>()

function say(answer: Answer): void {
  if (process.connected) process.send?.(answer)
}

async function answer({ id, op, folder, args }: Extract<Request, { op: string }>): Promise<void> {
  try {
    if (op in inPieces) await sendPieces(id, (inPieces as unknown as Record<string, Pieces>)[op] as Pieces, folder, args)
    else if (op in onWorkTrees) say({ id, value: await (onWorkTrees as unknown as Record<string, Work>)[op]?.(folder, ...args) })
    else say({ id, value: await (operations as unknown as Record<string, Work>)[op]?.(repositoryAt(folder), ...args) })
  } catch (error) {
    say({ id, error: error instanceof Error ? error.message : String(error), busy: error instanceof Busy })
  }
}

async function sendPieces(id: number, work: Pieces, folder: string, args: readonly unknown[]): Promise<void> {
  try {
    for await (const piece of work(repositoryAt(folder), ...args)) {
      const next = new Promise<boolean>((resolve) => pulls.set(id, resolve))
      say({ id, piece })
      if (!(await next)) break
    }
    say({ id, value: undefined })
  } finally {
    pulls.delete(id)
  }
}

function end(): void {
  closeAll()
  // Spares exit once they have read the end of their input; processes still at work are not awaited.
  setTimeout(() => process.exit(0), 50)
}

process.on('message', (request: Request) => {
  if ('op' in request) void answer(request)
  else if ('next' in request) pulls.get(request.id)?.(request.next)
  else end()
})
process.once('disconnect', () => {
  killAll()
  process.exit(0)
})
// A terminal sends them to the whole group; the gateway decides when the helper ends.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
setInterval(closeIdle, CHECK_IDLE_MS).unref()

Object.assign(git, JSON.parse(process.argv[SETTINGS_ARGUMENT] ?? '{}') as Partial<GitSettings>)
say({ ready: true, ...(await probe(git.program)) })
