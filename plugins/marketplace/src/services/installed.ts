import { gatewayWide, provide } from '@gateway/sdk'
import { installedPackages } from '../api.ts'
import { artifacts, installs, versions } from '../collections.ts'
import { sha256, versionIdOf } from '../rules/content-key.ts'
import { installedPackage } from '../rules/installed-package.ts'

export const installedProvider = provide(installedPackages, {
  uses: { installs, versions: gatewayWide(versions), artifacts: gatewayWide(artifacts) },
  create: ({ installs, versions, artifacts }, ctx) => ({
    async list(kind) {
      const { items } = await installs.find({ where: { kind }, sort: { slug: 1 }, limit: 1_000 })
      const found = await versions.getMany(items.map(({ slug, version }) => versionIdOf(slug, version)))
      return found.filter(({ status }) => status !== 'suspended').map(installedPackage)
    },
    async get(kind, name) {
      const install = await installs.get(name)
      if (install?.kind !== kind) return undefined
      const version = await versions.get(versionIdOf(name, install.version))
      if (!version || version.status === 'suspended') return undefined
      const artifact = await artifacts.get(version.artifactKey)
      if (artifact && sha256(artifact.content) === install.manifestHash) return { ...installedPackage(version), content: artifact.content }
      ctx.log.error('an installed package is not what was installed; it is left out', { versionId: version.versionId })
      return undefined
    },
  }),
})
