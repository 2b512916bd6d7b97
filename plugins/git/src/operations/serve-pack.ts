import type { Duplex, Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { BadRequest } from '@gateway/sdk'
import type { PackRequest } from '../api.ts'
import type { GitSettings } from '../helper/protocol.ts'
import { spawnGit } from '../helper/spawn-git.ts'
import { syncFolders } from '../helper/sync.ts'
import { pushLimits } from '../rules/limits.ts'
import { screenMessage } from '../rules/pkt-line.ts'
import { PushCommands, refusal } from '../rules/push-commands.ts'
import { transferFault } from '../rules/transfer-fault.ts'
import { answerHook } from './ask-judge.ts'
import { endProcess } from './end-process.ts'
import { HeldBack } from './held-back.ts'
import type { HooksFolder } from './hooks-folder.ts'
import { QuarantineWatch, TRACE_CHANNEL, TRACE_ENVIRONMENT } from './quarantine-watch.ts'

export interface PackServer extends GitSettings {
  readonly hooks: HooksFolder
}
export type Served = 'ended' | 'broken off'

const MAX_ERRORS = 2_000
/** Channel on which the hook asks if a push is accepted. */
const HOOK_CHANNEL = 3
/** Maximum bytes of a fetch request: it names commits, a few hundred thousand at most. */
const MAX_FETCH_REQUEST = 16 * 1_024 * 1_024

const SETTINGS = [
  // Every pushed object is checked, so that nothing malformed is kept.
  'receive.fsckObjects=true',
  'receive.autogc=false',
  'receive.unpackLimit=1',
  'receive.advertisePushOptions=false',
  'uploadpack.allowFilter=true',
]

/** Runs outside the helper: its output is streamed, and would have to pass through the helper's channel in pieces. */
export async function servePack(
  server: PackServer,
  folder: string,
  request: PackRequest,
  input: Readable,
  output: Writable,
): Promise<Served> {
  const isPush = request.service === 'receive-pack' && !request.advertise
  const chunks = input.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>
  const commands = new PushCommands()
  if (isPush) await readCommands(chunks, commands)
  if (commands.fault !== undefined) {
    output.end(refusal(commands))
    return 'ended'
  }
  return run(server, folder, request, { chunks, commands, isPush }, output)
}

async function readCommands(chunks: AsyncIterator<Buffer>, commands: PushCommands): Promise<void> {
  for (;;) {
    const { done, value } = await chunks.next().catch((error: Error) => {
      throw BadRequest({ field: 'body', message: `\`body\` must be a readable push; got: ${error.message}` })
    })
    if (done || commands.read(value)) return
  }
}

interface Body {
  readonly chunks: AsyncIterator<Buffer>
  readonly commands: PushCommands
  readonly isPush: boolean
}

async function run(server: PackServer, folder: string, request: PackRequest, body: Body, output: Writable): Promise<Served> {
  const { service, advertise, signal } = request
  const child = await start(server, folder, request, body.isPush)
  const quarantine = new QuarantineWatch(folder, child.stdio[TRACE_CHANNEL] as Readable)
  let errors = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    if (errors.length < MAX_ERRORS) errors += chunk.toString()
  })
  const hook = child.stdio[HOOK_CHANNEL] as Duplex
  hook.on('error', () => {})
  const taken: string[] = []
  // A client can rely on the answer that its push was accepted: the folders in which git has renamed files are synced first.
  const answer = new HeldBack(() => syncFolders(folder, taken))
  const accept = (refs: readonly string[]): void => {
    taken.push(...refs)
    answer.hold()
  }
  if (request.judge) void answerHook(hook, folder, request.judge, accept)
  const ended = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve))
  ended.catch(() => {})
  const stopped = (): void => void endProcess(child)
  signal.addEventListener('abort', stopped, { once: true })
  let isWhole = false
  try {
    const tell = (message: string): void => {
      if (body.commands.capabilities.has('side-band-64k')) answer.insert(screenMessage(message))
    }
    if (advertise) child.stdin?.end()
    else pipeline(bodyOf(request, body, tell), child.stdin as Writable).catch(() => child.stdin?.end())
    await pipeline(child.stdout as Readable, answer, output)
    const code = await ended
    isWhole = code !== null && !signal.aborted
    signal.throwIfAborted()
    // A refused push also ends with a failure; its client already knows.
    if (code !== 0 && service === 'upload-pack') throw transferFault(code, errors)
    return code === 0 ? 'ended' : 'broken off'
  } finally {
    signal.removeEventListener('abort', stopped)
    await endProcess(child)
    if (!isWhole) await quarantine.remove()
  }
}

async function start(
  { program, limits, hooks }: PackServer,
  folder: string,
  { service, advertise, protocol, maxBytes }: PackRequest,
  isPush: boolean,
) {
  const settings = [
    ...SETTINGS,
    ...(maxBytes === undefined ? [] : [`receive.maxInputSize=${Math.max(1, Math.floor(maxBytes))}`]),
    ...(isPush ? [`core.hooksPath=${await hooks.path()}`] : []),
  ]
  const options = ['--stateless-rpc', ...(advertise ? ['--http-backend-info-refs'] : [])]
  return spawnGit([...settings.flatMap((setting) => ['-c', setting]), service, ...options, folder], {
    program,
    folder,
    limits: isPush ? pushLimits(limits) : limits,
    deadlineMs: limits.transferSeconds * 1_000,
    env: {
      ...(isPush && TRACE_ENVIRONMENT),
      ...(protocol !== undefined && /^version=[0-2]$/.test(protocol) && { GIT_PROTOCOL: protocol }),
    },
    stdio: ['pipe', 'pipe', 'pipe', 'pipe', 'pipe'],
  })
}

/** Yields the request for git, from its first byte on. It ends early if there is no capacity for more of it. */
async function* bodyOf({ takeRoom, service }: PackRequest, { chunks, commands: { head } }: Body, tell: (message: string) => void) {
  let left = service === 'upload-pack' ? MAX_FETCH_REQUEST : Number.POSITIVE_INFINITY
  for (let piece: Buffer | undefined = head; piece !== undefined; ) {
    left -= piece.length
    if (left < 0) return
    const full = takeRoom?.(piece.length)
    if (full !== undefined) return tell(full)
    yield piece
    const { done, value } = await chunks.next()
    piece = done ? undefined : value
  }
}
