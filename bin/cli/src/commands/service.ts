import { existsSync, readFileSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { CommandError, EXIT, type ExitCode, jsonOption } from '@gateway/sdk/command'
import { defineCommand, type Env, type Invocation } from '../command.ts'
import { ownVariables } from '../own-variables.ts'
import { systemctl } from '../service/systemctl.ts'
import { MARK, RUNNER_UNIT, servicePaths, UNIT, unitText } from '../service/unit.ts'

const options = {
  runner: { type: 'boolean', description: 'Use the runner of the current folder’s runner.json instead of the gateway.' },
  print: { type: 'boolean', description: 'With install: print the unit, and do nothing.' },
  ...jsonOption,
} as const

export default defineCommand({
  summary: 'Run the service under systemd for this user: start it at login, restart it when it fails.',
  usage: 'install | status | uninstall',
  details: [
    '`install` writes a unit of the user’s own, which starts this very installation in the current folder, and starts it; a second time it puts right what differs.',
    'Settings go into `~/.config/gateway/service.env`, a NAME=value on each line. `journalctl --user -u gateway` shows the log.',
    'To run without anybody logged in: `loginctl enable-linger`. `uninstall` leaves settings and data where they are.',
    '`--runner` does the same for `gateway runner start`, in a separate unit.',
    '`status` ends with 3 when the service is not installed or does not run.',
  ].join('\n'),
  options,
  async run({ values, positionals: [action, ...more], env, cwd, output }) {
    const act = action !== undefined && Object.hasOwn(actions, action) && more.length === 0 ? actions[action] : undefined
    if (!act) throw new CommandError(EXIT.usage, 'Expected `gateway service install`, `status` or `uninstall`.')
    const unit = values.runner ? RUNNER_UNIT : UNIT
    const paths = servicePaths(env.XDG_CONFIG_HOME || join(env.HOME ?? homedir(), '.config'), unit)
    return act({ values, env, cwd, output, paths, unit })
  },
})

interface Act extends Pick<Invocation<typeof options>, 'values' | 'env' | 'cwd' | 'output'> {
  readonly paths: ReturnType<typeof servicePaths>
  readonly unit: string
}

const actions: Readonly<Record<string, (act: Act) => Promise<ExitCode>>> = { install, status, uninstall }

async function install({ values, env, cwd, output, paths, unit }: Act): Promise<ExitCode> {
  const program = resolve(process.argv[1] ?? '')
  const text = unitText({ node: process.execPath, program, folder: cwd, settingsFile: paths.settings, isRunner: values.runner === true })
  if (values.print) {
    output.line(text.trimEnd())
    return EXIT.ok
  }
  if (/[\\/]_npx[\\/]/.test(program)) {
    throw new CommandError(
      EXIT.failure,
      `${program} is in npx’s cache, which npm may empty. Install it first: \`npm install --global @gateway/gateway\`.`,
    )
  }
  const before = ownUnit(paths.unit)
  const changed = before !== text
  // Checked first: without systemd nothing is written.
  await systemctl(['show', '--property=Version'], env)
  if (changed) await replace(paths.unit, text)
  await systemctl(['daemon-reload'], env)
  await systemctl(['enable', unit], env)
  await systemctl([changed ? 'restart' : 'start', unit], env)
  const unseen = unseenSettings(env)
  if (values.json) output.json({ unit: paths.unit, settings: paths.settings, changed, unseen })
  else {
    output.line(`${paths.unit} ${changed ? 'is written' : 'was so already'}; the service runs. Its settings: ${paths.settings}`)
    if (unseen.length > 0) output.line(`Set here, but not seen by the service unless they are also in that file: ${unseen.join(', ')}`)
  }
  return EXIT.ok
}

async function status({ values, env, output, paths, unit }: Act): Promise<ExitCode> {
  const installed = ownUnit(paths.unit) !== undefined
  const shown = installed ? await systemctl(['show', unit, '--property=ActiveState,SubState,MainPID,NRestarts,UnitFileState'], env) : ''
  const facts = Object.fromEntries([...shown.matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]))
  const { ActiveState: state = 'inactive', SubState: detail = 'dead', UnitFileState: enabled = 'disabled' } = facts
  const found = {
    installed,
    state,
    detail,
    enabled: enabled === 'enabled',
    pid: Number(facts.MainPID ?? 0),
    restarts: Number(facts.NRestarts ?? 0),
  }
  if (values.json) output.json({ unit: paths.unit, settings: paths.settings, ...found })
  else if (!installed) output.line(`The service is not installed: there is no ${paths.unit}.`)
  else {
    output.line(
      `${state} (${detail})${found.pid > 0 ? `, process ${found.pid}` : ''}, ${found.enabled ? 'starts' : 'does not start'} at login`,
    )
    output.line(`unit ${paths.unit}, settings ${paths.settings}, restarts ${found.restarts}`)
  }
  return installed && state === 'active' ? EXIT.ok : EXIT.unreachable
}

async function uninstall({ values, env, output, paths, unit }: Act): Promise<ExitCode> {
  const installed = ownUnit(paths.unit) !== undefined
  if (installed) {
    await systemctl(['disable', '--now', unit], env)
    await rm(paths.unit, { force: true })
    await systemctl(['daemon-reload'], env)
  }
  if (values.json) output.json({ unit: paths.unit, removed: installed })
  else
    output.line(
      installed ? `${paths.unit} is removed; settings and data stay.` : `The service is not installed: there is no ${paths.unit}.`,
    )
  return EXIT.ok
}

/** Returns the existing unit; throws if somebody else wrote it. */
function ownUnit(path: string): string | undefined {
  if (!existsSync(path)) return undefined
  const text = readFileSync(path, 'utf8')
  if (text.startsWith(MARK)) return text
  throw new CommandError(EXIT.failure, `${path} was not written by this command; move it away first.`)
}

async function replace(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const draft = `${path}.${process.pid}.new`
  await writeFile(draft, text)
  await rename(draft, path)
}

/** Names of this shell's settings, which a service started by systemd does not see. */
const unseenSettings = (env: Env): readonly string[] => ownVariables(env).filter((name) => env[name] !== '')
