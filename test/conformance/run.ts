/**
 * `npm run conformance`: the official suite against the running gateway, for both revisions of the protocol, and the
 * Inspector's command line.
 *
 *   --requirements=2025-11-25 one revision --scenario=tools-list one scenario
 *
 * Fails on any failed check of any scenario. After a failure the suite's output and the gateway's log are kept.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { authorizationResults } from './authorization.ts'
import { inspectorPasses } from './inspector.ts'
import { installed } from './install.ts'
import { report } from './report.ts'
import { startService } from './service.ts'
import { Suite } from './suite.ts'

const REVISIONS = ['2025-11-25', '2026-07-28']

const { values } = parseArgs({ options: { requirements: { type: 'string' }, scenario: { type: 'string' } } })
const { requirements, scenario } = values
if (requirements !== undefined && !REVISIONS.includes(requirements)) {
  throw new Error(`--requirements must be one of ${REVISIONS.join(', ')}; got ${requirements}`)
}

const { suite: command, path } = installed()
const suite = new Suite(command)
const planned = await Promise.all(
  (requirements === undefined ? REVISIONS : [requirements]).map(async (revision) => ({
    revision,
    scenarios: await suite.scenarios(revision),
  })),
)
const runs = planned.filter(({ scenarios }) => scenario === undefined || scenarios.includes(scenario))
if (runs.length === 0) throw new Error(`--scenario must be one of ${planned.flatMap(({ scenarios }) => scenarios).join(', ')}`)

const base = mkdtempSync(join(tmpdir(), 'gateway-conformance-'))
const service = await startService(base)
let passed = true
try {
  for (const { revision, scenarios } of runs) {
    const folder = join(base, revision)
    const results = await suite.run(`${service.url}/mcp`, revision, {
      scenarios,
      folder,
      ...(scenario !== undefined && { only: scenario }),
    })
    const { passed: green, lines } = report(revision, results)
    console.log(`${lines.join('\n')}\n`)
    passed &&= green
  }
  for (const revision of scenario === undefined ? planned.map((one) => one.revision) : []) {
    const results = await authorizationResults(command, service.url, { revision, folder: join(base, `authorization-${revision}`) })
    const { passed: green, lines } = report(`authorization server, ${revision}`, results)
    console.log(`${lines.join('\n')}\n`)
    passed &&= green
  }
} finally {
  const how = await service.stop()
  if (how !== 'code 0') {
    console.log(`FAILED   the gateway did not stop cleanly: ${how}`)
    passed = false
  }
}
if (passed) rmSync(base, { recursive: true })
else console.log(`results and logs: ${base}`)
if (requirements === undefined && scenario === undefined) passed = inspectorPasses(path) && passed
process.exitCode = passed ? 0 : 1
