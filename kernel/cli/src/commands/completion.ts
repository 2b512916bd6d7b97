import type { Command } from '../command.ts'
import { defineCommand } from '../command.ts'
import { commands, loadCommand } from '../commands.ts'
import { CliError, EXIT } from '../exit.ts'

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
  async run({ positionals: [shell = ''], output }) {
    const script = Object.hasOwn(shells, shell) ? shells[shell] : undefined
    if (!script) throw new CliError(EXIT.usage, `Expected one of: ${Object.keys(shells).join(', ')}.`)
    const entries = await Promise.all(
      Object.keys(commands).map(async (name): Promise<Entry> => [name, (await loadCommand(name)) as Command]),
    )
    output.line(script(entries))
    return EXIT.ok
  },
})

const names = (entries: readonly Entry[]): string => entries.map(([name]) => name).join(' ')
const options = (command: Command): string[] => [...Object.keys(command.options), 'help'].map((name) => `--${name}`)
