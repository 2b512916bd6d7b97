import { CommandError, EXIT } from '@gateway/sdk/command'
import { defineCommand } from '../command.ts'
import { type CompletionWords, completionWords } from '../completion-words.ts'

const shells: Readonly<Record<string, (words: CompletionWords) => string>> = {
  bash: ({ commands, views }) =>
    [
      '_gateway() {',
      // biome-ignore-start lint/suspicious/noTemplateCurlyInString: the shell’s own syntax
      '  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} before= first= options=',
      `  if [ "$COMP_CWORD" = 1 ]; then COMPREPLY=($(compgen -W "${names(commands)}" -- "$current")); return; fi`,
      '  if [ "$previous" = --view ]; then',
      '    case $current in *,*) before=${current%,*}, ;; esac',
      `    COMPREPLY=($(compgen -P "$before" -W "${views.join(' ')}" -- "\${current##*,}")); return`,
      '  fi',
      '  case ${COMP_WORDS[1]} in',
      ...commands.map(({ name, first, options }) => `    ${name}) first="${first.join(' ')}" options="${options.join(' ')}" ;;`),
      '  esac',
      '  if [ "$COMP_CWORD" != 2 ]; then first=; fi',
      '  COMPREPLY=($(compgen -W "$first $options" -- "$current"))',
      // biome-ignore-end lint/suspicious/noTemplateCurlyInString: the shell’s own syntax
      '}',
      'complete -o default -F _gateway gateway',
    ].join('\n'),
  zsh: ({ commands, views }) =>
    [
      '#compdef gateway',
      '_gateway() {',
      '  local -a first options',
      `  if (( CURRENT == 2 )); then compadd -- ${names(commands)}; return; fi`,
      `  if [[ $words[CURRENT-1] == --view ]]; then compset -P '*,'; compadd -S '' -- ${views.join(' ')}; return; fi`,
      '  case $words[2] in',
      ...commands.map(({ name, first, options }) => `    ${name}) first=(${first.join(' ')}) options=(${options.join(' ')}) ;;`),
      '  esac',
      '  (( CURRENT == 3 )) && compadd -a first',
      '  compadd -a options; _files',
      '}',
      'compdef _gateway gateway',
    ].join('\n'),
  fish: ({ commands, views }) =>
    commands
      .flatMap(({ name, summary, first, options }) => {
        const follows = `complete -c gateway -n 'string match -q -- ${name} (commandline -opc)[2]`
        return [
          `complete -c gateway -n __fish_use_subcommand -a ${name} -d '${summary.replaceAll("'", '’')}'`,
          ...(first.length === 0 ? [] : [`${follows}; and test (count (commandline -opc)) -eq 2' -f -a '${first.join(' ')}'`]),
          ...options.map((option) => {
            const values = option === '--view' ? ` -x -a '(__fish_append , ${views.join(' ')})'` : ''
            return `${follows}' -l ${option.slice(2)}${values}`
          }),
        ]
      })
      .join('\n'),
}

export default defineCommand({
  summary: 'Print the completion script of a shell.',
  usage: 'bash | zsh | fish',
  details: [
    'It completes commands, subcommands, options, the tools of `call` and the views of --view: those that are installed here.',
    'For example `eval "$(gateway completion bash)"` in ~/.bashrc.',
  ].join('\n'),
  options: {},
  async run({ positionals: [shell = '', ...more], output, env, cwd, plugins }) {
    const script = Object.hasOwn(shells, shell) ? shells[shell] : undefined
    if (!script || more.length > 0) throw new CommandError(EXIT.usage, `Expected one of: ${Object.keys(shells).join(', ')}.`)
    output.line(script(await completionWords({ env, cwd, plugins }, output)))
    return EXIT.ok
  },
})

const names = (commands: CompletionWords['commands']): string => commands.map(({ name }) => name).join(' ')
