import { createHash } from 'node:crypto'
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Env } from '../command.ts'
import type { Work } from './git.ts'

export interface Beginning {
  readonly sessionId: string
  readonly host: string
  readonly machine: string
  readonly process?: string
  readonly taskId?: string
  readonly remote?: string
  readonly root: string
  /** Name of the folder, until the gateway has answered; then the gateway's name for the repo. */
  readonly repo: string
  /** Commit at which the session began. */
  readonly head?: string
  /** True once the gateway knows the session. */
  readonly isSent?: boolean
}
export interface Ending extends Work {
  readonly ending: 'ended' | 'crashed'
}

export interface Transcript {
  readonly path: string
  /** Bytes that the gateway has. */
  readonly sent: number
}

/** A step that waits to be sent is dropped beyond this. */
const MAX_SPOOL_BYTES = 2 * 1024 * 1024
/** A sender that was killed holds its lock no longer than this. */
const LOCK_MS = 60_000
const POLL_MS = 50
const MAX_SESSIONS = 200

/** Folder of the sessions whose records wait to be sent: `$XDG_STATE_HOME/gateway/sessions`. */
const folderOf = (env: Env): string => join(env.XDG_STATE_HOME || join(env.HOME ?? homedir(), '.local/state'), 'gateway', 'sessions')

/** Records of one session, on disk until the gateway has them. A folder that cannot be written is not a reason to fail a host. */
export class Spool {
  readonly folder: string

  constructor(folder: string) {
    this.folder = folder
  }

  static of(sessionId: string, env: Env): Spool {
    return new Spool(join(folderOf(env), createHash('sha256').update(sessionId).digest('hex').slice(0, 32)))
  }

  /** Sessions with records here, at most 200. */
  static all(env: Env): readonly Spool[] {
    try {
      const names = readdirSync(folderOf(env)).slice(0, MAX_SESSIONS)
      return names.map((name) => new Spool(join(folderOf(env), name)))
    } catch {
      return []
    }
  }

  get beginning(): Beginning | undefined {
    return this.#read('begin.json') as Beginning | undefined
  }

  /** A session that is resumed keeps the commit it began at. */
  begin(beginning: Beginning): void {
    const { head } = this.beginning ?? beginning
    this.#write('begin.json', { ...beginning, ...(head !== undefined && { head }) })
  }

  get ending(): Ending | undefined {
    return this.#read('end.json') as Ending | undefined
  }

  end(ending: Ending): void {
    this.#write('end.json', ending)
  }

  /** The host's transcript, and the part of it that the gateway has. */
  get transcript(): Transcript | undefined {
    return this.#read('transcript.json') as Transcript | undefined
  }

  /** Follows a transcript from where it was left, or from its beginning. */
  follow(path: string): void {
    if (this.transcript?.path !== path) this.#write('transcript.json', { path, sent: 0 })
  }

  sentTo(sent: number): void {
    const { transcript } = this
    if (transcript) this.#write('transcript.json', { ...transcript, sent })
  }

  /** Appends a step. Does nothing for a session whose beginning is unknown. */
  append(step: object): void {
    if (this.#size('begin.json') === 0 || this.#size('steps.jsonl') > MAX_SPOOL_BYTES) return
    appendFileSync(join(this.folder, 'steps.jsonl'), `${JSON.stringify(step)}\n`, { mode: 0o600 })
  }

  /** True when enough steps, or steps for long enough, wait that a sender should start; the next call is then false for a while. */
  isDue(everyMs: number, bytes: number, now: number): boolean {
    const sent = this.#mtime('sent')
    if (sent !== undefined && now - sent < everyMs && this.#size('steps.jsonl') < bytes) return false
    try {
      writeFileSync(join(this.folder, 'sent'), '', { mode: 0o600 })
      utimesSync(join(this.folder, 'sent'), now / 1_000, now / 1_000)
    } catch {
      return false
    }
    return true
  }

  /** Takes the steps that wait, with those of a sender that was killed: they stay on disk until `taken` is called. */
  steps(): readonly object[] {
    const pending = join(this.folder, 'sending.jsonl')
    if (this.#size('sending.jsonl') === 0) {
      try {
        renameSync(join(this.folder, 'steps.jsonl'), pending)
      } catch {
        return []
      }
    }
    return readFileSync(pending, 'utf8').split('\n').flatMap(parsed)
  }

  taken(): void {
    rmSync(join(this.folder, 'sending.jsonl'), { force: true })
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }

  /** Runs `work` alone among the senders of this session. Returns without it when another one takes longer than `waitMs`. */
  async locked(work: () => Promise<void>, waitMs: number): Promise<void> {
    const lock = join(this.folder, 'lock')
    const since = this.#mtime('lock')
    if (since !== undefined && Date.now() - since > LOCK_MS) rmSync(lock, { recursive: true, force: true })
    for (let waited = 0; ; waited += POLL_MS) {
      try {
        mkdirSync(lock)
        break
      } catch {
        if (waited >= waitMs) return
        await pause(POLL_MS)
      }
    }
    try {
      await work()
    } finally {
      try {
        rmdirSync(lock)
      } catch {
        // The folder was removed with the lock in it.
      }
    }
  }

  #read(name: string): unknown {
    try {
      return JSON.parse(readFileSync(join(this.folder, name), 'utf8'))
    } catch {
      return undefined
    }
  }

  #write(name: string, content: object): void {
    try {
      mkdirSync(this.folder, { recursive: true, mode: 0o700 })
      const draft = join(this.folder, `${name}.${process.pid}`)
      writeFileSync(draft, JSON.stringify(content), { mode: 0o600 })
      renameSync(draft, join(this.folder, name))
    } catch {
      // The session goes on without it.
    }
  }

  #size(name: string): number {
    return statSync(join(this.folder, name), { throwIfNoEntry: false })?.size ?? 0
  }

  #mtime(name: string): number | undefined {
    return statSync(join(this.folder, name), { throwIfNoEntry: false })?.mtimeMs
  }
}

/** A line that was cut off by a full disk is left out. */
function parsed(line: string): readonly object[] {
  try {
    return line === '' ? [] : [JSON.parse(line) as object]
  } catch {
    return []
  }
}
