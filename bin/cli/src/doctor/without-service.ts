import { execFile } from 'node:child_process'
import { type DoctorReport, type GatewayDoctor, Unavailable } from '@gateway/sdk'
import { shared } from '@gateway/sdk/bounds'
import type { Env } from '../command.ts'

/** The command reads the whole store once. */
const MAX_RUN_MS = 50_000
const MAX_BYTES = 1_048_576
const FRESH_MS = 60_000

/** Runs `gateway doctor` in a separate process: its reads would block this one. */
export function doctorWithoutService(env: Env, cwd: string): GatewayDoctor {
  let last: { readonly report: DoctorReport; readonly at: number } | undefined
  const run = shared(async () => {
    const report = await examined(env, cwd)
    last = { report, at: performance.now() }
    return report
  })
  return { examine: async () => (last && performance.now() - last.at < FRESH_MS ? last.report : run()) }
}

function examined(env: Env, cwd: string): Promise<DoctorReport> {
  const command = [...process.execArgv, process.argv[1] ?? '', 'doctor', '--json']
  const limits = { timeout: MAX_RUN_MS, maxBuffer: MAX_BYTES, killSignal: 'SIGKILL' } as const
  return new Promise((resolve, reject) => {
    execFile(process.execPath, command, { cwd, env: { ...env }, ...limits }, (error, stdout) => {
      try {
        // The command exits with 1 if a check failed, which is an answer too.
        resolve(JSON.parse(stdout) as DoctorReport)
      } catch {
        const why = error?.killed ? `did not end within ${MAX_RUN_MS / 1000} s` : 'gave no answer'
        reject(Unavailable({ message: `The checks ${why}; run \`gateway doctor\` where the gateway runs.` }))
      }
    })
  })
}
