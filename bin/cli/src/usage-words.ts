const withoutPlaceholders = (usage: string): string => usage.replace(/<[^>]*>|\[[^\]]*\]/g, '')

/** Returns the subcommands that a usage names: `new` and `check` of `new <name> | check [folder]`. */
export const subcommands = (usage: string): readonly string[] =>
  withoutPlaceholders(usage)
    .split('|')
    .map((alternative) => alternative.trim().split(/\s+/)[0] ?? '')
    .filter((word) => /^[a-z][a-z0-9-]*$/.test(word))

/** Returns the kinds of words that may follow a command: `tool` of `<tool> [json]`, `family` and `tool` of `[family | tool]`. */
export const placeholders = (usage: string): readonly string[] =>
  [...usage.matchAll(/^[<[]([^\]>]*)[\]>]/g)].flatMap(([, kinds = '']) => kinds.split('|').map((kind) => kind.trim()))
