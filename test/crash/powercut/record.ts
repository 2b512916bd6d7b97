import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type LogRecord, readLog } from './log.ts'

/** Uses memory if available, for thousands of rebuilt folders; syncs are recorded, not needed. */
export const scratchFolder = (): string => mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'powercut-'))

/** Returns the reason that this machine cannot record, or `undefined`. */
export function cannotRecord(): string | undefined {
  if (process.platform !== 'linux') return 'recording needs Linux'
  const report = process.report.getReport() as { header?: { glibcVersionRuntime?: string } }
  if (!report.header?.glibcVersionRuntime) return 'recording needs glibc'
  try {
    execFileSync('cc', ['--version'], { stdio: 'ignore' })
    return undefined
  } catch {
    return 'recording needs a C compiler (cc)'
  }
}

export interface Recording {
  readonly records: readonly LogRecord[]
  /** The folder as the process left it. */
  readonly folder: string
}

/** Runs a workload of this folder, `<script> <folder> …args`, under preload.c and returns all its file operations. */
export async function record(script: string, args: readonly string[], scratch: string): Promise<Recording> {
  const library = join(scratch, 'preload.so')
  const run = mkdtempSync(join(scratch, 'run-'))
  const folder = join(run, 'data')
  const log = join(run, 'log')
  mkdirSync(folder)
  execFileSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, join(import.meta.dirname, 'preload.c'), '-ldl', '-lpthread'])
  const flags = process.execArgv.filter((flag) => !flag.startsWith('--test'))
  // io_uring would bypass the recorder.
  const env = { PATH: process.env.PATH, LD_PRELOAD: library, POWERCUT_DIR: folder, POWERCUT_LOG: log, UV_USE_IO_URING: '0' }
  await promisify(execFile)(process.execPath, [...flags, join(import.meta.dirname, script), folder, ...args], { env })
  return { records: readLog(readFileSync(log)), folder }
}
