import type { Plugin } from '@gateway/sdk'
import { type Described, defaultText, table, typeText } from './schema-text.ts'

/** Returns docs/reference/configuration.md: the kernel's settings, the variables of the command, and settings of each standard plugin. */
export function configurationReference(kernel: object, command: object, plugins: readonly Plugin[]): string {
  const configurable = plugins.flatMap((plugin) => (plugin.config ? [{ id: plugin.id, schema: plugin.config.schema as Described }] : []))
  const sections = configurable.map(({ id, schema }) => `\n## plugins.${id}\n\n${settings(schema, 'setting')}\n`)
  return `# Configuration

The gateway itself is set by environment variables. Plugins are set in \`gateway.config.json\`, whose only key is \`plugins\`:

\`\`\`json
{ "plugins": { "tasks": { "maxRetries": 5 }, "recurring": false } }
\`\`\`

Each key of \`plugins\` names a built-in plugin, a package installed beside the file, or a path from the file’s folder, as in
\`"./plugins/mine"\`. \`false\` switches a plugin off, \`true\` loads it with its defaults, an object has its settings. A built-in
plugin that is not named runs with its defaults. \`\${NAME}\` in a string is read from the
environment. Where a plugin's setting has a variable too, the variable wins. An unknown key or a bad value stops the start, and
the message names the plugin and the key.

## The gateway

${settings(kernel as Described, 'variable')}

## The command

\`gateway\` reads the variables of the gateway where it needs them, and these of its own:

${settings(command as Described, 'variable')}
${sections.join('')}`
}

/** Lists by variable for the kernel, which has no file; by name for a plugin, whose variables are the exception. */
function settings(schema: Described, by: 'variable' | 'setting'): string {
  const rows = Object.entries(schema.properties ?? {}).map(([name, one]) => {
    const variable = one.env === undefined ? '' : `\`${one.env}\``
    return [...(by === 'variable' ? [variable] : [`\`${name}\``, variable]), typeText(one), defaultText(one), one.description ?? '']
  })
  return table([...(by === 'variable' ? ['variable'] : ['setting', 'variable']), 'type', 'default', ''], rows)
}
