import { outgoing } from '@gateway/plugin-outgoing/api'
import { contribute, type DoctorFinding, doctorCheck } from '@gateway/sdk'
import { config, type ProviderSettings, type Settings } from '../config.ts'
import { type ListedModels, listModels } from '../operations/list-models.ts'
import { SETTING } from '../operations/provider-pool.ts'
import { servesClients, wireOf } from '../rules/wire-of.ts'

/** Asks each configured provider for its models: its address, its key, and the models of the tiers. */
export const modelsCheck = contribute(doctorCheck, {
  uses: { config, http: outgoing },
  create: ({ config, http }) => ({
    name: 'providers',
    async check() {
      const { providers } = config as Settings
      const named = Object.entries(providers) as [string, ProviderSettings][]
      const asked = named.map(async ([name, settings]) => {
        const wire = servesClients(settings.wire) ? wireOf(settings.wire, []) : undefined
        return wire ? findingOf(name, settings, await listModels(http, settings, wire.headers)) : []
      })
      return (await Promise.all(asked)).flat()
    },
  }),
})

/** Google lists its models as `models/…`, and takes them with and without the prefix. */
const bareName = (model: string): string => model.replace(/^models\//, '')

function findingOf(name: string, { models = {} }: ProviderSettings, listed: ListedModels): DoctorFinding {
  if ('fault' in listed) {
    const setting = `${SETTING}.${name}`
    if (listed.status === 404) {
      return {
        outcome: 'warn',
        detail: `${name} ${listed.fault}`,
        fix: `check ${setting}.baseUrl; some servers answer calls and list no models`,
      }
    }
    const member = listed.status === 401 || listed.status === 403 ? 'apiKey' : 'baseUrl'
    return { outcome: 'fail', detail: `${name} ${listed.fault}`, fix: `check ${setting}.${member}, and that the server runs` }
  }
  const known = new Set(listed.models.map(bareName))
  const unknown = [...new Set(Object.values(models))].filter((model) => !known.has(bareName(model)))
  const detail = `${name} lists ${listed.models.length} models`
  if (unknown.length === 0) return { outcome: 'ok', detail }
  const fix = `correct ${SETTING}.${name}.models, unless the provider takes names that it does not list`
  return { outcome: 'warn', detail: `${detail}, and not ${unknown.join(', ')}`, fix }
}
