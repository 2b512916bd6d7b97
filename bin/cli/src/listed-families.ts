import type { Plugin } from '@gateway/sdk'

/** Families that a view may name: plugins with a tool in the full list. */
export const listedFamilies = (plugins: readonly Plugin[]): readonly string[] =>
  plugins.filter(({ tools }) => tools.some(({ listing }) => listing !== 'core-only')).map(({ id }) => id)
