import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { missing } from '../clients/program.ts'

const TEST = join(import.meta.dirname, '..', 'clients', 'inspector.test.ts')

/** Runs the test of the Inspector's command line, which skips itself where the Inspector is missing. */
export function inspectorPasses(path: string): boolean {
  process.env.PATH = path
  const reason = missing('mcp-inspector', ['--version'])
  if (reason !== undefined) throw new Error(`the Inspector cannot be run: ${reason}`)
  return spawnSync(process.execPath, [...process.execArgv, '--test', TEST], { stdio: 'inherit' }).status === 0
}
