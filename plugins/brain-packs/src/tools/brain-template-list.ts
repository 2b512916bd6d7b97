import { closed, defineTool, gatewayWide, type Infer, ListFill, Type, truncated } from '@gateway/sdk'
import { versions } from '../collections.ts'
import { allVersions, MAX_VERSIONS } from '../operations/packs.ts'
import { compareVersions, latestOf } from '../rules/versions.ts'
import type { Version } from '../schema.ts'

const Pack = Type.Object(
  {
    id: Type.String(),
    title: Type.String(),
    description: Type.String(),
    latestVersion: Type.String(),
    versions: Type.Array(Type.String(), { description: 'Newest first.' }),
    atomCount: Type.Integer(),
  },
  closed,
)

export const brainTemplateList = defineTool({
  name: 'brain_template_list',
  description:
    'List the starter packs for a new brain: title, latest version, all versions, and how many atoms the latest has. Returns {packs}.',
  capability: 'read',
  effect: 'read',
  input: Type.Object({}, closed),
  output: Type.Object(
    {
      packs: Type.Array(Pack),
      truncated,
    },
    closed,
  ),
  uses: { versions: gatewayWide(versions) },
  async handle(_args, refs) {
    const byId = new Map<string, Version[]>()
    for (const one of await allVersions(refs)) byId.set(one.id, [...(byId.get(one.id) ?? []), one])
    const fill = new ListFill<Infer<typeof Pack>>(MAX_VERSIONS)
    for (const versions of byId.values()) fill.add(packOf(versions))
    return { packs: fill.rows, ...fill.cutShort }
  },
})

function packOf(all: readonly Version[]) {
  const { id, title, description, atomCount, version } = latestOf(all) as Version
  const versions = all.map((one) => one.version).sort((a, b) => compareVersions(b, a))
  return { id, title, description, latestVersion: version, versions, atomCount }
}
