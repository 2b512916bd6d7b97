import type { GatewayInfo, Plugin } from '@gateway/sdk'
import type { Settings } from '@gateway/settings'
import type { Logger } from 'pino'
import type { Inventory } from '../gateway.ts'
import { pluginLog } from '../registry/context.ts'
import { VERSION } from '../version.ts'

export function describeGateway(
  { offered, plugins }: { offered: () => Inventory; plugins: () => readonly Plugin[] },
  startedAt: number,
  { root, dataDir, host, port, answerLimitBytes }: Pick<Settings, 'root' | 'dataDir' | 'host' | 'port' | 'answerLimitBytes'>,
  log: Logger,
): GatewayInfo {
  return {
    version: VERSION,
    startedAt: new Date(startedAt),
    root,
    dataDir,
    address: { host, port },
    answerLimitBytes,
    log: (plugin) => pluginLog(log.child({ plugin })),
    tools: () =>
      [...offered().tools.values()].map(({ plugin, item }) => ({
        plugin,
        name: item.name,
        capability: item.capability,
        effect: item.effect,
      })),
    publicEvents: () =>
      new Map(
        plugins().flatMap(({ id: plugin, events }) =>
          events.flatMap(({ id, payload, public: description }) =>
            description === undefined ? [] : [[id, { plugin, description, payload }] as const],
          ),
        ),
      ),
  }
}
