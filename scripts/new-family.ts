/**
 * Creates a family of tools: `npm run new-family -- <id> <tool…> [--record NAME]`. Writes the package, sources, tests, README, snapshots, its
 * entries in
 * the distribution, the lockfile and the catalogue, and the generated references. The result works and passes its tests; the
 * author
 * then changes it to its purpose.
 */
import { spawnSync } from 'node:child_process'
import { planFamily, Refused } from './new-family/plan.ts'
import { writeFamily } from './new-family/write.ts'
import { fromSources } from './typescript/options.mjs'
import { root } from './workspaces.mjs'

try {
  const family = planFamily(root, process.argv.slice(2))
  await writeFamily(root, family)
  const { status } = spawnSync(process.execPath, [...fromSources, 'scripts/references.ts'], { cwd: root, stdio: 'inherit' })
  if (status !== 0) throw new Error('the references could not be written: `npm run references` says why')
  console.log(`plugins/${family.id} is there, with ${family.tools.map(({ name }) => name).join(', ')}, and stands in every list.
Next: npm run check -- plugins/${family.id} && npm test -- plugins/${family.id} plugins/standard test/catalogue
npm test -- test/house lists the sentences that are left for you to write.
Then make it what it is for: CONTRIBUTING.md, “Add a family”, goes on from here.`)
} catch (error) {
  if (!(error instanceof Refused)) throw error
  console.error(`usage: npm run new-family -- <id> <tool…> [--record NAME]\n${error.message}`)
  process.exitCode = 1
}
