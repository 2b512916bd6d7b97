import { resolve } from 'node:path'
import { EXIT, jsonOption } from '@gateway/sdk/command'
import { defineCommand } from '../command.ts'
import type { Finding } from '../doctor/finding.ts'
import type { Output } from '../output.ts'

export default defineCommand({
  summary: 'Check the installation, the settings and the data, and name a fix for each problem.',
  usage: '[--bundle FILE]',
  details: [
    'Writes only the bundle, so it may run while the service runs. The exit code is 1 when a check fails, and 0 for warnings alone.',
    'It runs no code of a folder that was not named: plugins of a config file in the current folder are looked at only when',
    'GATEWAY_CONFIG or GATEWAY_ROOT names it.',
    'The bundle is for people who help you: the report, versions, settings and figures, without secrets and documents. Read it first.',
  ].join('\n'),
  options: {
    bundle: { type: 'string', value: 'FILE', description: 'Also write the facts that a helper needs into this new file.' },
    ...jsonOption,
  },
  async run({ values, env, cwd, output, plugins }) {
    const { examine } = await import('../doctor/examine.ts')
    const examined = await examine({ env, cwd, plugins })
    const { found } = examined
    const healthy = found.every(({ outcome }) => outcome !== 'fail')
    if (values.json) output.json({ healthy, checks: found })
    else print(found, output)
    if (values.bundle !== undefined) {
      const { writeBundle } = await import('../doctor/bundle.ts')
      const file = resolve(cwd, values.bundle)
      await writeBundle(file, examined, env)
      if (!values.json) output.line(`\n${file}: send it to the people who help you. It contains no recognised secrets; read it first.`)
    }
    return healthy ? EXIT.ok : EXIT.failure
  },
})

const TONES = { ok: 'good', warn: 'warn', fail: 'bad' } as const

function print(found: readonly Finding[], output: Output): void {
  output.table(found.map(({ check, outcome, detail }) => [{ text: outcome, tone: TONES[outcome] }, check, detail]))
  const toDo = found.filter(({ fix }) => fix !== undefined)
  if (toDo.length > 0) output.line()
  for (const { check, fix } of toDo) output.line(`${check}: ${fix}`)
}
