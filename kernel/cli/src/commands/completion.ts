import { CommandError, EXIT } from '@gateway/sdk/command'
import { broughtCommands, type Scene } from '../brought-commands.ts'
import { type Command, defineCommand } from '../command.ts'
import { commands, ownCommand } from '../commands.ts'
import { loadBrought } from '../find-command.ts'
import type { Output } from '../output.ts'

type Entry = readonly [name: string, command: Command]

const shells: Readonly<Record<string, (entries: readonly Entry[]) => string>> = {
  bash: (entries) =>
    [
      '_gateway() {',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell’s own syntax
      '  local current=${COMP_WORDS[COMP_CWORD]}',
      `  if [ "$COMP_CWORD" = 1 ]; then COMPREPLY=($(compgen -W "${names(entries)}" -- "$current")); return; fi`,
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell’s own syntax
      '  case ${COMP_WORDS[1]} in',
      ...entries.map(([name, command]) => `    ${name}) COMPREPLY=($(compgen -W "${options(command).join(' ')}" -- "$current")) ;;`),
      '  esac',
      '}',
      'complete -o default -F _gateway gateway',
    ].join('\n'),
  zsh: (entries) =>
    [
      '#compdef gateway',
      '_gateway() {',
      `  if (( CURRENT == 2 )); then compadd ${names(entries)}; return; fi`,
      '  case $words[2] in',
      ...entries.map(([name, command]) => `    ${name}) compadd -- ${options(command).join(' ')}; _files ;;`),
      '  esac',
      '}',
      'compdef _gateway gateway',
    ].join('\n'),
  fish: (entries) =>
    entries
      .flatMap(([name, command]) => [
        `complete -c gateway -n __fish_use_subcommand -a ${name} -d '${command.summary.replaceAll("'", '’')}'`,
        ...Object.keys(command.options).map((option) => `complete -c gateway -n '__fish_seen_subcommand_from ${name}' -l ${option}`),
      ])
      .join('\n'),
}

export default defineCommand({
  summary: 'Print the completion script of a shell.',
  usage: 'bash | zsh | fish',
  details: 'For example `eval "$(gateway completion bash)"` in ~/.bashrc.',
  options: {},
  async run({ positionals: [shell = '', ...more], output, env, cwd, plugins }) {
    const script = Object.hasOwn(shells, shell) ? shells[shell] : undefined
    if (!script || more.length > 0) throw new CommandError(EXIT.usage, `Expected one of: ${Object.keys(shells).join(', ')}.`)
    const own = await Promise.all(Object.keys(commands).map(async (name): Promise<Entry> => [name, (await ownCommand(name)) as Command]))
    output.line(script([...own, ...(await ofPlugins({ env, cwd, plugins }, output))]))
    return EXIT.ok
  },
})

/** One that cannot be loaded is left out, and said: the others are completed as ever. */
async function ofPlugins(scene: Scene, output: Output): Promise<readonly Entry[]> {
  const { found } = await broughtCommands(scene)
  const loaded = await Promise.allSettled(found.map(async (one): Promise<Entry> => [one.command.name, await loadBrought(one)]))
  return loaded.flatMap((one) => {
    if (one.status === 'fulfilled') return [one.value]
    output.complain(`gateway: ${(one.reason as Error).message}`)
    return []
  })
}

const names = (entries: readonly Entry[]): string => entries.map(([name]) => name).join(' ')
const options = (command: Command): string[] => [...Object.keys(command.options), 'help'].map((name) => `--${name}`)
