import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Duplex, Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { PackRequest } from '../api.ts'
import { gitArguments, gitEnvironment } from '../helper/environment.ts'
import { syncFolders } from '../helper/sync.ts'
import { readQuestion } from '../rules/hook.ts'
import { HeldBack } from './held-back.ts'
import type { HooksFolder } from './hooks-folder.ts'

export interface PackServer {
  readonly program: string
  readonly hooks: HooksFolder
}

type Judge = NonNullable<PackRequest['judge']>

/** Refs of one push: each is judged by processes of its own. */
const MAX_REFS = 50
const MAX_ERRORS = 2_000

const SETTINGS = [
  // What is pushed is looked at object by object, so that nothing malformed is kept.
  'receive.fsckObjects=true',
  'receive.autogc=false',
  'receive.unpackLimit=1',
  'receive.advertisePushOptions=false',
  'uploadpack.allowFilter=true',
]

/** Runs beside the helper: what it says goes from stream to stream, and would have to pass through the helper’s channel in pieces. */
export async function servePack(
  server: PackServer,
  folder: string,
  request: PackRequest,
  input: Readable,
  output: Writable,
): Promise<void> {
  const { service, advertise, protocol, maxBytes, signal } = request
  const settings = [...SETTINGS, ...(maxBytes === undefined ? [] : [`receive.maxInputSize=${Math.max(1, Math.floor(maxBytes))}`])]
  const hooks = service === 'receive-pack' && !advertise ? [`core.hooksPath=${await server.hooks.path()}`] : []
  const child = spawn(
    server.program,
    [
      ...gitArguments,
      ...[...settings, ...hooks].flatMap((setting) => ['-c', setting]),
      service,
      '--stateless-rpc',
      ...(advertise ? ['--http-backend-info-refs'] : []),
      folder,
    ],
    {
      cwd: folder,
      env: gitEnvironment(protocol !== undefined && /^version=[0-2]$/.test(protocol) ? { GIT_PROTOCOL: protocol } : {}),
      stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
      signal,
      killSignal: 'SIGKILL',
    },
  )
  let errors = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    if (errors.length < MAX_ERRORS) errors += chunk.toString()
  })
  const channel = child.stdio[3] as Duplex
  channel.on('error', () => {})
  const taken: string[] = []
  // Whoever reads that a push was taken can rely on it: what git has renamed is synced before.
  const answer = new HeldBack(() => syncFolders(folder, taken))
  const accept = (refs: readonly string[]): void => {
    taken.push(...refs)
    answer.hold()
  }
  if (request.judge) void answerHook(channel, folder, request.judge, accept)
  const ended = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve))
  ended.catch(() => {})
  if (advertise) child.stdin?.end()
  else pipeline(input, child.stdin as Writable).catch(() => {})
  try {
    await pipeline(child.stdout as Readable, answer, output)
    const code = await ended
    // A refused push ends so as well: its client has been told.
    if (code !== 0 && errors !== '' && service === 'upload-pack')
      throw new Error(`git ${service} failed (${code}): ${errors.trim().slice(0, 500)}`)
  } finally {
    if (child.exitCode === null) child.kill('SIGKILL')
  }
}

async function answerHook(channel: Duplex, folder: string, judge: Judge, accept: (refs: readonly string[]) => void): Promise<void> {
  const lines: string[] = []
  for await (const line of createInterface({ input: channel })) {
    if (line === '.') break
    lines.push(line)
    if (lines.length > MAX_REFS + 1) break
  }
  if (lines.length === 0) return
  const said = await verdict(lines, folder, judge, accept)
  channel.end(`${said.replaceAll(/[\r\n]+/g, ' ')}\n`)
}

async function verdict(lines: readonly string[], folder: string, judge: Judge, accept: (refs: readonly string[]) => void): Promise<string> {
  if (lines.length > MAX_REFS + 1) return `A push moves at most ${MAX_REFS} refs.`
  const question = readQuestion(lines)
  if (!question) return 'The push could not be read.'
  try {
    const fault = await judge(question.refs, { objects: question.objects === '' ? join(folder, 'objects') : question.objects })
    if (fault !== undefined) return fault
    accept(question.refs.map(({ ref }) => ref))
    return 'ok'
  } catch {
    return 'The push could not be checked; nothing was changed. Try again.'
  }
}
