import { join } from 'node:path'

export const UNIT = 'gateway.service'
export const RUNNER_UNIT = 'gateway-runner.service'
/** Distinguishes a unit of this command from one that a person wrote. */
export const MARK = '# Written by `gateway service install`; `gateway service uninstall` removes it.'

export interface UnitPlan {
  readonly node: string
  readonly program: string
  /** Folder searched for `gateway.config.json`. */
  readonly folder: string
  /** File of NAME=value lines; it need not exist. */
  readonly settingsFile: string
  /** The unit starts `gateway runner start` instead of the gateway. */
  readonly isRunner?: boolean
}

export function unitText({ node, program, folder, settingsFile, isRunner = false }: UnitPlan): string {
  const argv = [node, program, ...(isRunner ? ['runner', 'start'] : ['start'])]
  return `${MARK}
[Unit]
Description=${isRunner ? 'Runner of the gateway for AI agents' : 'Gateway for AI agents'}
# What stops a start at once, such as a bad setting, stops the next one too. One that waits for its database takes longer each time.
StartLimitIntervalSec=20
StartLimitBurst=5

[Service]
Type=exec
ExecStart=${argv.map(argument).join(' ')}
WorkingDirectory=${specifiers(folder)}
EnvironmentFile=-${specifiers(settingsFile)}
Restart=on-failure
RestartSec=2
# The gateway ends its helpers itself, after the calls that need them; what is left when it has gone is killed.
KillMode=mixed
TimeoutStopSec=90
UMask=0077
NoNewPrivileges=yes

[Install]
WantedBy=default.target
`
}

const specifiers = (text: string): string => text.replaceAll('%', '%%')
const argument = (text: string): string => `"${specifiers(text).replace(/[\\"]/g, '\\$&').replaceAll('$', '$$$$')}"`

/**
 * Returns paths in `$XDG_CONFIG_HOME`, else `~/.config`: systemd looks there for a user's units, and this service for its
 * settings.
 */
export function servicePaths(config: string, unit: string): { readonly unit: string; readonly settings: string } {
  return { unit: join(config, 'systemd', 'user', unit), settings: join(config, 'gateway', 'service.env') }
}
